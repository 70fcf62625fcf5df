# The standalone relay. Build the jar first: mvn -q package -DskipTests
#
#   docker build --build-arg VERSION=... --build-arg REVISION=$(git rev-parse HEAD) -t waybill-relay .
#   docker run --read-only --tmpfs /tmp -p 8080:8080 -v ./waybill.yaml:/etc/waybill/waybill.yaml:ro waybill-relay
#
# Runs as a user without rights and writes nothing but to /tmp. To pin the base image, give it by digest:
# --build-arg BASE=eclipse-temurin@sha256:...
ARG BASE=eclipse-temurin:17-jre-alpine
FROM ${BASE}
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="waybill-relay" \
      org.opencontainers.image.description="Publishes transactional outboxes in PostgreSQL to Azure Service Bus" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
RUN addgroup -S -g 10001 waybill && adduser -S -D -H -u 10001 -G waybill waybill
COPY relay-app/target/waybill-relay.jar /opt/waybill/waybill-relay.jar
USER 10001:10001
ENV WAYBILL_CONFIG=/etc/waybill/waybill.yaml
EXPOSE 8080
STOPSIGNAL SIGTERM
# Liveness, not readiness: what is unhealthy may be restarted, and an outage of the database must end no relay. Without a JVM.
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s \
    CMD wget -q -T 5 -O /dev/null "http://127.0.0.1:${WAYBILL_HTTP_PORT:-8080}/livez" || exit 1
# Options of the JVM stand here and not in JAVA_TOOL_OPTIONS, which commands that are run in the container would print.
ENTRYPOINT ["java", "-XX:MaxRAMPercentage=70", "-XX:+ExitOnOutOfMemoryError", "-Djava.io.tmpdir=/tmp", \
    "-jar", "/opt/waybill/waybill-relay.jar"]
CMD ["run"]
