# The standalone relay. Build the jar first, and the list of classes that makes it start faster; without the list it works too:
#
#   mvn -q package -DskipTests
#   java -Dwaybill.classes=operations/cli/target/waybill-relay.classes -jar benchmarks/target/benchmarks.jar start --smoke
#
#   docker build --build-arg VERSION=... --build-arg REVISION=$(git rev-parse HEAD) -t waybill-relay .
#   docker run --read-only --tmpfs /tmp -p 8080:8080 -v ./waybill.yaml:/etc/waybill/waybill.yaml:ro waybill-relay
#
# Runs as a user without rights and writes nothing but to /tmp. To pin the images it is made of, give them by digest:
# --build-arg JDK=eclipse-temurin@sha256:... --build-arg BASE=alpine@sha256:...
# Both must have the same C library.
ARG JDK=eclipse-temurin:17-jdk-alpine
ARG BASE=alpine:3.22
FROM ${JDK} AS runtime
COPY deploy/image/runtime.sh operations/cli/target/waybill-relay.jar operations/cli/target/waybill-relay.classe[s] /build/
RUN sh /build/runtime.sh /build/waybill-relay.jar /opt/waybill /build/waybill-relay.classes

FROM ${BASE}
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="waybill-relay" \
      org.opencontainers.image.description="Publishes transactional outboxes in PostgreSQL to Azure Service Bus" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
RUN addgroup -S -g 10001 waybill && adduser -S -D -H -u 10001 -G waybill waybill
COPY --from=runtime /opt/waybill /opt/waybill
USER 10001:10001
ENV WAYBILL_CONFIG=/etc/waybill/waybill.yaml PATH=/opt/waybill/java/bin:${PATH}
EXPOSE 8080
STOPSIGNAL SIGTERM
# Liveness, not readiness: what is unhealthy may be restarted, and an outage of the database must end no relay. Without a JVM.
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s \
    CMD wget -q -T 5 -O /dev/null "http://127.0.0.1:${WAYBILL_HTTP_PORT:-8080}/livez" || exit 1
# Options of the JVM stand here and not in JAVA_TOOL_OPTIONS, which commands that are run in the container would print.
# The collector is named because the archive of classes was made with it, and what is idle needs no other.
ENTRYPOINT ["java", "-XX:SharedArchiveFile=/opt/waybill/waybill-relay.jsa", "-XX:+UseSerialGC", \
    "-XX:InitialRAMPercentage=8", "-XX:MaxRAMPercentage=70", "-XX:+ExitOnOutOfMemoryError", "-Djava.io.tmpdir=/tmp", \
    "-jar", "/opt/waybill/waybill-relay.jar"]
CMD ["run"]
