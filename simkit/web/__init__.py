from simkit.web.module import WebModule, make
