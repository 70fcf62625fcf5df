package dev.waybill.standalone.servicebus;

import static dev.waybill.standalone.servicebus.AnsweringProxy.BASIC;
import static dev.waybill.standalone.servicebus.AnsweringProxy.OPENED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import dev.waybill.standalone.config.NamespaceSettings;
import dev.waybill.standalone.config.NamespaceSettings.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The answers of proxies. */
@Timeout(60)
class ProxyProbeTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "407 No\\r\\nProxy-Authenticate: NTLM\\r\\nProxy-Authenticate: Negotiate | it offers NTLM, Negotiate: only Basic is supported",
                "407 No\\r\\nProxy-Authenticate: Basic realm=\"a\", charset=\"UTF-8\", NTLM | it offers Basic, NTLM: check namespace.main.proxy-password(-file)",
                "407 No\\r\\nproxy-authenticate: Basic realm=\"a\" | spells its header in another way than 'Proxy-Authenticate', which the SDK does not read",
                "407 No | it offers no scheme: only Basic is supported",
                "403 Forbidden | HTTP/1.1 403 Forbidden; see the proxy's list of targets",
                "502 Bad Gateway | for user 'clerk': HTTP/1.1 502 Bad Gateway",
                "502 \u001b[31mBad | for user 'clerk': HTTP/1.1 502 ?[31mBad",
            })
    void a_refusal_is_told_with_what_to_check(String answer, String words) throws Exception {
        String text = "HTTP/1.1 " + answer.replace("\\r\\n", "\r\n") + "\r\n\r\n";

        assertThat(refused(text, text, Duration.ZERO))
                .hasValueSatisfying(told -> assertThat(told).endsWith(words));
    }

    @Test
    void a_proxy_that_drips_its_answer_has_one_deadline() throws Exception {
        assertThat(refused(OPENED, OPENED, Duration.ofMillis(200)))
                .hasValueSatisfying(told -> assertThat(told)
                        .contains("takes connections, and does not answer CONNECT target:443 within 1 s"));
    }

    @Test
    void a_tunnel_that_ends_at_once_is_told_with_the_proxy() throws Exception {
        assertThat(refused(BASIC, OPENED + "<end>", Duration.ZERO))
                .hasValueSatisfying(told -> assertThat(told)
                        .matches("through the proxy 127\\.0\\.0\\.1:\\d+: the connection to target:443 ends during"
                                + " the TLS handshake"));
    }

    @Test
    void an_answer_without_end_has_a_limit() throws Exception {
        String endless = "x".repeat(1 << 20);
        String schemes = "HTTP/1.1 407 No\r\nProxy-Authenticate: "
                + String.join(
                        ", ",
                        IntStream.range(0, 1_000)
                                .mapToObj(i -> "S" + "-".repeat(i % 9))
                                .toList())
                + "\r\n\r\n";

        for (String answer : List.of(endless, schemes)) {
            assertThat(refused(answer, answer, Duration.ZERO))
                    .hasValueSatisfying(told -> assertThat(told).hasSizeLessThan(400));
        }
    }

    /** Proxies with which the SDK never connects, and says nothing. */
    static Stream<Arguments> unreadable() {
        return Stream.of(
                Arguments.of(OPENED, OPENED, "asks for no password, and the SDK gives up if it has one"),
                Arguments.of(
                        BASIC + "<end>", OPENED, "closes the connection after its 407 without 'Connection: close'"),
                Arguments.of(BASIC.replace("Proxy-A", "proxy-a"), OPENED, "spells its header in another way"),
                Arguments.of(BASIC, "HTTP/1.1 200\r\n\r\n", "the SDK does not read a status without a reason"));
    }

    static Stream<Arguments> readable() {
        String body = "y".repeat(3_000);
        return Stream.of(
                Arguments.of(BASIC, OPENED, ""),
                Arguments.of(BASIC.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"), OPENED, ""),
                Arguments.of(BASIC.replace(": 0\r\n\r\n", ": 3000\r\n\r\n" + body), OPENED, ""),
                Arguments.of(BASIC, "HTTP/1.0 200 OK\n\n", ""));
    }

    static Stream<Arguments> all() {
        return Stream.concat(readable(), unreadable());
    }

    @ParameterizedTest
    @MethodSource("all")
    void a_proxy_that_the_sdk_does_not_understand_is_told_and_no_other(String first, String second, String words)
            throws Exception {
        Optional<String> told = refused(first, second, Duration.ZERO);

        if (words.isEmpty()) {
            assertThat(told).isEmpty();
        } else {
            assertThat(told).hasValueSatisfying(text -> assertThat(text).contains(words));
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    @Tag("long")
    void the_sdk_opens_a_tunnel_where_the_probe_does_and_nowhere_else(String first, String second, String words)
            throws Exception {
        try (var proxy = new AnsweringProxy(first, second)) {
            var builder = new ServiceBusClientBuilder()
                    .connectionString("Endpoint=sb://target.example/;SharedAccessKeyName=a;SharedAccessKey=Yg==");
            NamespaceSettings namespace = proxy.behind("proxy-password: pw");
            new Network(namespace).applyTo(builder, "target.example");
            try (var sender = builder.retryOptions(new AmqpRetryOptions()
                            .setTryTimeout(Duration.ofSeconds(4))
                            .setMaxRetries(0))
                    .sender()
                    .queueName("q")
                    .buildAsyncClient()) {
                var unused = sender.createMessageBatch().toFuture();
                if (words.isEmpty()) {
                    await().atMost(Duration.ofSeconds(20)).until(proxy::sawHandshake);
                } else {
                    await().during(Duration.ofSeconds(5)).until(() -> !proxy.sawHandshake());
                }
            }
        }
    }

    @Test
    void a_refused_password_is_tried_again_ever_later() throws Exception {
        var now = new AtomicLong();
        var gate = new ProxyGate(now::get);
        try (var proxy = new AnsweringProxy(BASIC, BASIC)) {
            gate.ask(probe(proxy));
            now.addAndGet(ProxyGate.FIRST.toNanos() - 1);
            gate.ask(probe(proxy));
            assertThat(proxy.signIns()).hasSize(1);
            assertThat(gate.ask(probe(proxy, "login.example")))
                    .as("another target of the same account")
                    .isPresent();
            assertThat(proxy.signIns()).hasSize(1);
            now.addAndGet(1);
            gate.ask(probe(proxy));
            assertThat(proxy.signIns()).hasSize(2);
            now.addAndGet(ProxyGate.FIRST.toNanos());
            assertThat(gate.ask(probe(proxy))).isPresent();
            assertThat(proxy.signIns()).hasSize(2);
            now.addAndGet(ProxyGate.LONGEST.toNanos());
            gate.ask(probe(proxy));
            assertThat(proxy.signIns()).hasSize(3);
        }
    }

    private static Optional<String> refused(String toStrangers, String toUsers, Duration pause) throws Exception {
        try (var proxy = new AnsweringProxy(toStrangers, toUsers, pause)) {
            return probe(proxy).refused().map(ProxyProbe.Refusal::words);
        }
    }

    private static ProxyProbe probe(AnsweringProxy proxy) {
        return probe(proxy, "target");
    }

    private static ProxyProbe probe(AnsweringProxy proxy, String host) {
        var settings = new Proxy("127.0.0.1", proxy.port(), Optional.of("clerk"), Optional.empty(), List.of());
        return new ProxyProbe("main", settings, new ProxyProbe.Target(host, 443, true), Duration.ofSeconds(1));
    }
}
