"""Setting text: the bundled fonts, shaping, line breaks, fitting. No template and no drawing."""
