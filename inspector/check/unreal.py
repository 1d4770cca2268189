"""Names of things that no server has, for probes to ask for."""

TOOL = "mcp-inspect-no-such-tool"
URI = "mcp-inspect-probe:///no-such-resource"
CURSOR = "mcp-inspect-no-such-cursor"
METHOD = "mcp-inspect/no-such-method"
VERSION = "2099-01-01"
