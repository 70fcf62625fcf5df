# The standalone relay. Build the jar first: mvn -q package -DskipTests
#
#   docker build -t waybill-relay .
#   docker run --read-only --tmpfs /tmp -p 8080:8080 -v ./waybill.yaml:/etc/waybill/waybill.yaml:ro waybill-relay
#
# Runs as a user without rights, writes nothing but to /tmp, and needs no shell to say how it is.
FROM eclipse-temurin:17-jre-alpine
RUN addgroup -S -g 10001 waybill && adduser -S -D -H -u 10001 -G waybill waybill
COPY relay-app/target/waybill-relay.jar /opt/waybill/waybill-relay.jar
USER 10001:10001
ENV WAYBILL_CONFIG=/etc/waybill/waybill.yaml \
    JAVA_TOOL_OPTIONS="-XX:MaxRAMPercentage=70 -XX:+ExitOnOutOfMemoryError -Djava.io.tmpdir=/tmp"
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s CMD ["java", "-Xmx64m", "-jar", "/opt/waybill/waybill-relay.jar", "health"]
ENTRYPOINT ["java", "-jar", "/opt/waybill/waybill-relay.jar"]
CMD ["run"]
