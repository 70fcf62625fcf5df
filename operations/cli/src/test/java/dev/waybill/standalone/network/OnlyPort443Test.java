package dev.waybill.standalone.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.waybill.embedded.postgres.PostgresExtension;
import dev.waybill.embedded.postgres.TestDatabase;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.standalone.Program;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A network that lets nothing out but an HTTP proxy: nothing listens at the ports of the namespace's own host. */
@ExtendWith(PostgresExtension.class)
@Timeout(180)
class OnlyPort443Test {
    private static final String TRUST = "waybill";
    private static final String PROXY_WORDS = "opens no tunnel to localhost:443 for user 'clerk': HTTP/1.1 407";

    @TempDir
    private Path directory;

    private EmbeddedServiceBus bus;
    private ConnectProxy proxy;

    @BeforeEach
    void start() throws Exception {
        bus = EmbeddedServiceBus.builder()
                .queue("orders", queue -> queue.requiresSession(true))
                .administrationPort(0)
                .tls()
                .start();
        // Port 2 stands for that of administration, which the broker serves beside AMQP.
        proxy = new ConnectProxy(
                "clerk", "pass word", Map.of("localhost:443", bus.port(), "localhost:2", bus.administrationPort()));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, TRUST.toCharArray());
        store.setCertificateEntry("broker", bus.tlsIdentity().certificate());
        try (OutputStream out = Files.newOutputStream(directory.resolve("trust.p12"))) {
            store.store(out, TRUST.toCharArray());
        }
    }

    @AfterEach
    void stop() throws Exception {
        proxy.close();
        bus.close();
    }

    private Program program(TestDatabase database, String password) {
        return programWith(database, "proxy-password: " + password);
    }

    private Program programWith(TestDatabase database, String passwordLine) {
        return Program.with(
                directory,
                Program.database(database) + """
                    collect: orders
                namespace:
                  main:
                    connection-string: "%s"
                    transport: websockets
                    proxy: http://clerk@127.0.0.1:%d
                    %s
                    administration-endpoint: https://localhost:2
                destination: { orders: {} }
                http: { port: 0, bind: 127.0.0.1 }
                """.formatted(bus.connectionString(), proxy.port(), passwordLine));
    }

    private static void append(Program program, String id) {
        assertThat(program.run("lab", "append", "orders", "--id", id, "--session", "s-1", "--text", "one")
                        .exitCode())
                .isZero();
    }

    private Map<String, String> trusting() {
        return Map.of(
                "JAVA_TOOL_OPTIONS",
                "-Djavax.net.ssl.trustStore=" + directory.resolve("trust.p12") + " -Djavax.net.ssl.trustStorePassword="
                        + TRUST);
    }

    @Test
    void relay_collector_administration_and_doctor_reach_the_namespace_through_the_proxy_alone(TestDatabase database)
            throws Exception {
        Program program = program(database, "pass word");
        program.run("migrate", "up");
        Path log = directory.resolve("run.log");

        Process relay = program.start(log, trusting(), "run");
        try {
            assertThat(program.run("lab", "append", "orders", "--id", "o-1", "--session", "s-1", "--text", "one")
                            .exitCode())
                    .isZero();
            await().atMost(Duration.ofSeconds(40))
                    .until(() -> bus.inspect("orders").active() == 1);
            Program.Result found = program.runProcess(trusting(), "doctor");
            assertThat(found.out())
                    .contains("it is of tier Premium")
                    .doesNotContain("UNVERIFIED")
                    .doesNotContain("broker-away");
            assertThat(proxy.tunnels()).contains("localhost:443", "localhost:2");
        } finally {
            relay.destroy();
            relay.waitFor();
        }
    }

    @Test
    void a_host_among_the_exclusions_is_reached_without_the_proxy(TestDatabase database) {
        Program program = program(database, "pass word");

        Program.Result found = program.run("doctor", "--set", "namespace.main.proxy-exclusions=*.internal,LOCAL*");

        assertThat(found.out())
                .contains("namespace main at localhost:443", "nc -vz localhost 443", "refused")
                .contains("proxy-exclusions of namespace.main takes localhost off the proxy 127.0.0.1:");
        assertThat(proxy.tunnels()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "namespace.main.transport=amqp | needs namespace.main.transport: websockets",
                "namespace.main.proxy=http://a:b@127.0.0.1:1 | holds a password: give namespace.main.proxy-password",
                "namespace.main.proxy=http://127.0.0.1:1 | needs both a user in its URL and namespace.main.proxy-password",
                "namespace.main.proxy=https://clerk@127.0.0.1:1 | must be a URL such as http://user@proxy.example:3128",
                "namespace.main.proxy=proxy.internal:3128 | must be a URL such as http://user@proxy.example:3128",
                "namespace.main.proxy=http://clerk@proxy.internal | must be a URL such as http://user@proxy.example:3128",
                "namespace.main.proxy=http://clerk@my_proxy:3128 | a host's name has no underscore",
                "namespace.main.proxy= | namespace.main.proxy-password needs namespace.main.proxy",
            })
    void a_proxy_that_cannot_serve_is_refused_with_the_option(String setting, String words, TestDatabase database) {
        Program.Result refused = program(database, "secret").run("doctor", "--set", setting);

        assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
        assertThat(refused.err()).contains(words).doesNotContain("secret");
    }

    @Test
    void a_wrong_password_of_the_proxy_is_told_by_name(TestDatabase database) {
        Program.Result found = program(database, "guess").runProcess(trusting(), "doctor");

        assertThat(found.exitCode()).isEqualTo(5);
        assertThat(found.out())
                .contains("the proxy 127.0.0.1:" + proxy.port() + " opens no tunnel to localhost:443 for user 'clerk'")
                .contains("407 Proxy Authentication Required")
                .contains(
                        "curl -v -x http://127.0.0.1:" + proxy.port() + " -U 'clerk' https://localhost:443/",
                        "proxy-password")
                .doesNotContain("guess");
    }

    /** A proxy that opens TLS shows a certificate of its own. */
    @ParameterizedTest
    @CsvSource({"true, through the proxy 127.0.0.1:", "false, ''"})
    void a_certificate_that_the_jvm_does_not_trust_is_told_with_its_issuer(
            boolean proxied, String words, TestDatabase database) {
        Program program = program(database, "pass word");

        String direct = bus.connectionString().replace("//localhost;", "//localhost:" + bus.port() + ";");
        Program.Result found = proxied
                ? program.run("doctor")
                : program.run(
                        "doctor",
                        "--set",
                        "namespace.main.proxy=",
                        "--set",
                        "namespace.main.proxy-password=",
                        "--set",
                        "namespace.main.connection-string=" + direct);

        assertThat(found.exitCode()).isEqualTo(5);
        assertThat(found.out())
                .contains(words + (proxied ? proxy.port() + ": " : ""))
                .contains("the certificate of localhost (issued by CN=localhost")
                .contains("is not trusted: give the JVM its issuer by -Djavax.net.ssl.trustStore")
                .doesNotContain("no answer came");
    }

    @Test
    void a_relay_names_the_certificate_that_it_does_not_trust(TestDatabase database) throws Exception {
        Program program = program(database, "pass word");
        program.run("migrate", "up");
        Path log = directory.resolve("run.log");

        Process relay = program.start(log, Map.of(), "run");
        try {
            append(program, "o-1");
            await().atMost(Duration.ofSeconds(40))
                    .untilAsserted(() -> assertThat(program.run("status").out())
                            .contains("unavailable", "the certificate of localhost"));
            assertThat(Files.readString(log)).contains("through the proxy 127.0.0.1:" + proxy.port() + ": the certif");
        } finally {
            relay.destroy();
            relay.waitFor();
        }
    }

    @Test
    void a_relay_names_the_proxy_that_refuses_its_password_and_spares_the_account(TestDatabase database)
            throws Exception {
        Program program = program(database, "guess");
        program.run("migrate", "up");
        Path log = directory.resolve("run.log");

        Process relay = program.start(log, trusting(), "run");
        try {
            append(program, "o-1");
            await().atMost(Duration.ofSeconds(40))
                    .untilAsserted(() -> assertThat(program.run("status").out()).contains("unavailable", PROXY_WORDS));
            assertThat(Files.readString(log))
                    .contains(PROXY_WORDS, "by WebSockets through the proxy 127.0.0.1:" + proxy.port())
                    .contains("it offers Basic: check namespace.main.proxy-password(-file)")
                    .doesNotContain("\tat ", "guess");
            assertThat(proxy.wrongPasswords()).isLessThan(4);
        } finally {
            relay.destroy();
            relay.waitFor();
        }
    }

    /** App Service, Container Apps and Arc serve tokens at an address of the machine itself, and their secret is in the request. */
    @Test
    void the_token_of_a_managed_identity_is_never_asked_of_the_proxy(TestDatabase database) throws Exception {
        var asked = new CopyOnWriteArrayList<String>();
        HttpServer tokens = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        tokens.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().toString());
            byte[] token = ("{\"access_token\":\"x\",\"token_type\":\"Bearer\",\"resource\":\"r\",\"expires_on\":\""
                            + (Instant.now().getEpochSecond() + 3_600) + "\"}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, token.length);
            exchange.getResponseBody().write(token);
            exchange.close();
        });
        tokens.start();
        Map<String, String> variables = new HashMap<>(trusting());
        variables.put(
                "IDENTITY_ENDPOINT", "http://127.0.0.1:" + tokens.getAddress().getPort() + "/msi/token");
        variables.put("IDENTITY_HEADER", "secret of the machine");

        program(database, "pass word")
                .runProcess(
                        variables,
                        "topology",
                        "check",
                        "--set",
                        "namespace.main.connection-string=",
                        "--set",
                        "namespace.main.host=shop.servicebus.windows.net",
                        "--set",
                        "namespace.main.credential=managed-identity");
        tokens.stop(0);

        assertThat(asked).isNotEmpty();
        assertThat(proxy.refusals()).noneMatch(line -> line.contains("127.0.0.1"));
    }

    @Test
    void a_topology_check_names_the_proxy_that_refuses(TestDatabase database) {
        Program.Result found = program(database, "guess").runProcess(trusting(), "topology", "check");

        assertThat(proxy.wrongPasswords())
                .as("one attempt, as others lock the account")
                .isEqualTo(1);
        assertThat(found.out() + found.err())
                .contains("opens no tunnel to localhost:2 for user 'clerk': HTTP/1.1 407")
                .doesNotContain("null");
    }

    @Test
    @Tag("long")
    void a_relay_tries_a_new_password_of_the_proxy_at_once_after_it_was_refused(TestDatabase database)
            throws Exception {
        Path file = Files.writeString(directory.resolve("password"), "pass word");
        Program program = programWith(database, "proxy-password-file: " + file);
        program.run("migrate", "up");
        Path log = directory.resolve("run.log");
        Process relay = program.start(log, trusting(), "run", "--set", "relay.send-deadline=5s");
        try {
            append(program, "o-1");
            await().atMost(Duration.ofSeconds(40))
                    .until(() -> bus.inspect("orders").active() == 1);
            proxy.rotate("clerk", "new");
            append(program, "o-2");
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> Files.readAllLines(log).stream()
                            .anyMatch(line ->
                                    line.contains("Not all messages to 'orders'") && line.contains(PROXY_WORDS)));
            Files.writeString(file, "new");
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> bus.inspect("orders").active() == 2);
        } finally {
            relay.destroy();
            relay.waitFor();
        }
    }
}
