"""Every entry of the handed catalogue of real failures is held by a row of the table or by tests of its own."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest
from fault_table import FAULTS, ODDITIES

TESTS = Path(__file__).parent.parent
CASES = "schema/test_shared.py::test_every_case"
HELD = {
    "B01": [CASES, "tui/widgets/forms/test_schema_form.py::test_null_empty_and_unset_are_a_key_away_and_seen"],
    "B02": [CASES],
    "B03": [CASES],
    "B04": [CASES, "tui/widgets/forms/test_schema_form.py::test_null_is_one_of_the_positions_where_it_fits"],
    "B05": [CASES, "schema/test_branches.py::test_whole_objects_to_choose_from_at_the_root"],
    "B06": [CASES, "schema/test_references.py::test_references_start_at_the_resource_that_they_stand_in"],
    "B07": [
        "tui/widgets/forms/test_schema_form.py::test_long_enums_are_searched",
        "tui/widgets/forms/test_schema_form.py::test_several_of_an_enum",
    ],
    "B11": [CASES],
    "B12": [
        "cli/test_verbs.py::test_numbers_go_out_as_they_were_typed",
        "base/test_numbers.py::test_what_python_would_change_or_refuse_is_kept",
    ],
    "B13": ["tui/widgets/forms/test_schema_form.py::test_short_enums_are_picked_in_place_and_keep_their_type"],
    "B14": ["schema/test_shared.py::test_arguments_of_real_tools_come_back_equal"],
    "B15": [CASES, "tui/widgets/forms/test_schema_form.py::test_maps_take_keys"],
    "B16": [CASES, "tui/widgets/forms/test_schema_form.py::test_a_tool_that_declares_nothing_takes_free_arguments"],
    "B20": ["faults/test_handed_servers.py::test_noisy_stdout"],
    "B21": ["faults/test_handed_servers.py::test_big_lines"],
    "B22": ["session/test_session.py::test_a_line_of_megabytes_in_pieces_keeps_every_character"],
    "B23": ["session/test_session.py::test_a_server_that_floods_stderr_is_read_all_the_time"],
    "B24": ["faults/test_handed_servers.py::test_stderr_flood"],
    "B31": ["session/test_session.py::test_the_whole_tree_ends_though_the_wrapper_passes_nothing_on"],
    "B32": ["session/test_session.py::test_a_stubborn_server_is_killed"],
    "B33": [
        "transports/test_http.py::test_a_call_is_not_repeated_but_the_next_one_works",
        "faults/test_handed_servers.py::test_what_looks_like_an_expired_session_is_told_with_a_way_out",
    ],
    "B34": ["faults/test_handed_servers.py::test_http_sse_framing"],
    "B35": ["transports/test_framing.py::test_events_are_those_of_another_reader_of_the_standard"],
    "B36": ["transports/test_http.py::test_an_event_stream_with_every_liberty_is_understood"],
    "B39": ["transports/test_http.py::test_a_refused_server_stream_is_asked_for_once"],
    "B42": ["faults/test_handed_servers.py::test_http_old_sse"],
    "B45": ["session/test_modern.py::test_over_http_a_request_is_given_up_by_closing_its_stream"],
    "B48": ["traffic/test_pairing.py::test_progress_belongs_to_the_request_that_gave_the_token"],
    "B52": ["workspace/test_workspace.py::test_lists_that_change_because_they_are_read_are_damped"],
    "B54": ["faults/test_handed_servers.py::test_server_asks"],
    "B55": ["faults/test_handed_servers.py::test_server_asks"],
    "B56": ["tui/test_calls.py::test_structured_content_beside_the_text"],
    "B58": ["session/test_session.py::test_the_idle_clock_ends_a_call_and_a_cancel_goes_out"],
    "B59": ["tui/test_calls.py::test_every_kind_of_block"],
    "B60": ["tui/panes/test_resources.py::test_any_uri_is_read_by_hand"],
    "B61": ["protocol/test_uritemplate.py::test_expansions_of_the_rfc"],
    "B63": ["config/test_jsonc.py::test_comments_and_trailing_commas_leave_strings_alone"],
    "B64": ["config/test_jsonc.py::test_byte_order_marks_and_crlf"],
    "B65": ["config/test_load.py::test_containers"],
    "B66": ["config/test_interpolate.py::test_common"],
    "B71": ["tui/test_guard.py::test_safe_text_is_one_visible_line_and_never_markup"],
    "B72": ["tui/test_guard.py::test_the_filter_takes_controls_and_links_off"],
    "B73": ["faults/test_handed_servers.py::test_odd_results"],
    "B74": ["cli/test_verbs.py::test_secrets_from_variables_are_masked_everywhere"],
    "B75": [
        "serving/test_recorded.py::test_an_answer_has_the_live_id_and_every_other_byte_of_then",
        "serving/test_recorded.py::test_progress_and_logs_come_before_their_answer_with_the_token_of_now",
        "serving/test_recorded.py::test_the_server_asks_and_goes_on_when_it_has_heard",
    ],
    "B76": [
        "serving/test_recorded.py::test_volatile_members_do_not_count",
        "serving/test_recorded.py::test_what_is_alike_comes_in_order_and_the_last_one_stays",
        "serving/test_recorded.py::test_a_miss_names_the_nearest_record_and_what_differs",
        "serving/test_recorded.py::test_one_server_of_several_has_to_be_named",
    ],
    "B77": ["workspace/test_workspace.py::test_leaving_ends_every_process_also_in_the_middle_of_things"],
    "B78": ["config/test_server.py::test_looking_for_the_program"],
}  # fmt: skip


@cache
def _tests_of(path: Path) -> set[str]:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {
        node.name for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, functions)
    }


@pytest.mark.parametrize("entry", [f"B{number:02}" for number in range(1, 79)])
def test_an_entry_is_held(entry: str) -> None:
    rows = [fault for fault in (*FAULTS, *ODDITIES) if entry in fault.entries.split()]
    assert bool(rows) + (entry in HELD) == 1
    for held in HELD.get(entry, []):
        file, _, name = held.partition("::")
        assert name in _tests_of(TESTS / file), f"{held} is not there"


@pytest.mark.shared
def test_the_catalogue_has_no_other_entries(shared: Path) -> None:
    text = (shared / "faults" / "catalogue.md").read_text(encoding="utf-8")
    named = {line.split()[1] for line in text.splitlines() if line.startswith("### B")}
    assert named == {f"B{number:02}" for number in range(1, 79)}
