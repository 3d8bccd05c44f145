"""What all pages share: the site, requests, responses, errors, security, static files."""
