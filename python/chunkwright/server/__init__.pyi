from chunkwright.server.app import create_app as create_app
from chunkwright.server.run import serve as serve
from chunkwright.server.settings import Settings as Settings
