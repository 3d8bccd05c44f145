"""QR codes of our addresses, for who has the page on a screen and a phone in the hand."""

import io

from markupsafe import Markup

from app.web.site.rendering import markup


def qr_code_svg(linked_url: str, title: str, error_correction: str = "m") -> Markup:
    """The QR code of an address as SVG, dark on light also at night: cameras want it so.

    error_correction: how much of it may be unreadable; `l` keeps the dots of a long address larger.
    """
    import segno  # at first use: the site starts without it

    svg_file = io.BytesIO()
    segno.make(linked_url, error=error_correction).save(
        svg_file,
        kind="svg",
        xmldecl=False,
        svgns=True,
        omitsize=True,
        border=3,
        svgclass="qr",
        lineclass=None,
        dark="#000",
        light="#fff",
        title=title,
    )
    return markup(svg_file.getvalue().decode())
