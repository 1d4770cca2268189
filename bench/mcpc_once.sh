# One question by mcpc, which keeps sessions in the background: connect, ask, close. mcpc_once.sh MCPC tools|call COMMAND...
set -e
mcpc=$1 verb=$2 command=$3
shift 3
config=$HOME/mcpc.json
{
    printf '{"mcpServers":{"one":{"command":"%s","args":[' "$command"
    comma=
    for word; do printf '%s"%s"' "$comma" "$word" && comma=,; done
    printf ']}}}'
} >"$config"
"$mcpc" connect "$config:one" @one
if [ "$verb" = tools ]; then "$mcpc" --json @one tools-list; else "$mcpc" --json @one tools-call echo message:=hi; fi
"$mcpc" @one close
