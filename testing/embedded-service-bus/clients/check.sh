#!/bin/sh
# Checks the broker with Azure's clients for JavaScript and Python, as far as Node and Python are here, and prints a table.
# Needs the jar: mvn -pl testing/embedded-service-bus -am package -DskipTests
set -u
cd "$(dirname "$0")"
jar=../target/embedded-service-bus.jar
[ -f "$jar" ] || { echo "There is no $jar yet: mvn -pl testing/embedded-service-bus -am package -DskipTests" >&2; exit 2; }

work=$(mktemp -d)
broker=
trap 'stop_broker; rm -rf "$work"' EXIT

# Arguments: options of the broker.
start_broker() {
    java -jar "$jar" --config Config.json --administration-port 0 "$@" > "$work/broker" 2>&1 &
    broker=$!
    until grep -q '^Ready' "$work/broker"; do
        kill -0 "$broker" 2> "$work/gone" || { cat "$work/broker" >&2; exit 2; }
        sleep 0.1
    done
    connection=$(sed -n '/^Endpoint/p' "$work/broker")
    port=$(sed -n 's/^Administration: .*:\([0-9]*\)$/\1/p' "$work/broker")
}

stop_broker() {
    [ -z "$broker" ] || { kill "$broker" 2> "$work/gone"; wait "$broker" 2> "$work/gone"; }
    broker=
}

status=0
echo "| client | case | result |"
echo "|---|---|---|"
if command -v node > "$work/node" && command -v npm > "$work/npm"; then
    start_broker --port 0
    (cd javascript && npm install --no-audit --no-fund --silent > "$work/install" 2>&1 \
        && node check.js "$connection" "$port") || status=1
    stop_broker
else
    echo "| JavaScript | all | not run: no Node here |"
fi
if command -v python3 > "$work/python" && python3 -m venv "$work/venv" > "$work/venv.log" 2>&1 \
    && "$work/venv/bin/pip" install -q -r python/requirements.txt > "$work/pip.log" 2>&1; then
    start_broker --port 0
    "$work/venv/bin/python" python/check.py "$connection" || status=1
    stop_broker
elif /usr/bin/python3 -c 'import azure.servicebus' 2> "$work/system"; then
    # The system's own, as Debian has it: an older client, on another AMQP library.
    start_broker --port 5671 --tls-certificate "$work/certificate"
    /usr/bin/python3 python/check.py "$connection" "$work/certificate" 2> "$work/said" || status=1
    stop_broker
else
    echo "| Python | all | not run: Python or its packages cannot be had here |"
fi
exit $status
