"""Names of Solon AI's remote skills: conventions of that framework over plain tools and one resource of MCP, and no
relation of the MCP extension for skills (`session/skills.py`)."""

from __future__ import annotations

SKILL, TALENT = "skill://metadataMcp", "talent://metadataMcp"
"""The resource with the metadata: up to 3.9, and from 4.0 on, where skills are called talents."""
SUPPORTED, ATTACH, INSTRUCTION, TOOLS = "isSupportedMcp", "onAttachMcp", "getInstructionMcp", "getToolsMcp"
MANAGEMENT = (SUPPORTED, ATTACH, INSTRUCTION, TOOLS)
"""The tools that a client calls itself, in the order of an activation."""
PROMPT = "promptJson"
"""Their one argument, which their schemas do not declare: JSON text of the prompt."""
HIDE = "hide"
"""The member of `_meta` that keeps a tool from the model, whatever its value."""
FORBIDDEN = "禁止 llm 使用"
"""What the framework writes into the description of the tools above: a model must not use them."""
GATEWAY = ("search_tools", "get_tool_detail", "call_tool")
"""Tools in whose place stand more tools than a model should be shown at once."""
