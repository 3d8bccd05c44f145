"""What all pages share: the site, requests, responses, what becomes HTML, errors, security, static files."""
