#!/bin/sh
# Makes what the image holds, in a directory that must not exist yet:
#
#   deploy/image/runtime.sh operations/cli/target/waybill-relay.jar DIRECTORY [CLASSES]
#
#   DIRECTORY/java                 a JDK's modules that the relay needs, and no others
#   DIRECTORY/waybill-relay.jar
#   DIRECTORY/waybill-relay.jsa    the classes that a start loads, ready to be mapped; only this java and this jar can use it
#
# CLASSES is a file with their names, which the benchmark `start` writes beside a real database and broker. Without it, the names
# are those of a start that reaches neither, and the relay is ready later.
# Needs a JDK of the version that is to run: java, jlink. The archive knows the paths: DIRECTORY must be the one that runs.
set -eu
jar=$1
out=$2
classes=${3:-}
home=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v jlink)")")")}

mkdir -p "$out"
"$home/bin/jlink" --output "$out/java" --compress=2 --no-header-files --no-man-pages --generate-cds-archive \
    --add-modules java.base,java.compiler,java.desktop,java.naming,java.net.http,java.security.jgss,java.sql \
    --add-modules jdk.crypto.ec,jdk.httpserver,jdk.management,jdk.naming.dns,jdk.unsupported
cp "$jar" "$out/waybill-relay.jar"

if [ -f "$classes" ]; then
    "$out/java/bin/java" -XX:+UseSerialGC -Xshare:dump -XX:SharedClassListFile="$classes" \
        -XX:SharedArchiveFile="$out/waybill-relay.jsa" -Xlog:disable -Xlog:all=error -cp "$out/waybill-relay.jar" > /dev/null
    test -s "$out/waybill-relay.jsa"
    exit
fi

# A start that reaches neither a database nor a broker, and a stop. What it loads goes into the archive.
WAYBILL_DATABASE_MAIN_URL="jdbc:postgresql://127.0.0.1:1/none" \
WAYBILL_NAMESPACE_MAIN_CONNECTION_STRING="Endpoint=sb://127.0.0.1:1;SharedAccessKeyName=n;SharedAccessKey=k;UseDevelopmentEmulator=true;" \
WAYBILL_DESTINATION_ORDERS_SESSIONS=true WAYBILL_HTTP_PORT=0 WAYBILL_HTTP_BIND=127.0.0.1 WAYBILL_LOG_LEVEL=error \
    "$out/java/bin/java" -XX:+UseSerialGC -XX:ArchiveClassesAtExit="$out/waybill-relay.jsa" -Xlog:cds=off -Xlog:cds+dynamic=off \
    -jar "$out/waybill-relay.jar" run > /dev/null 2>&1 &
training=$!
sleep 8
kill -TERM "$training"
wait "$training" || true
test -s "$out/waybill-relay.jsa"
