package dev.waybill.standalone.servicebus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.standalone.config.NamespaceSettings.Proxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The answers of proxies that open no tunnel. */
@Timeout(30)
class ProxyProbeTest {
    private static final String BASIC = "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"x\"\r\n\r\n";

    private final AtomicInteger asked = new AtomicInteger();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "407 No\\r\\nProxy-Authenticate: NTLM\\r\\nProxy-Authenticate: Negotiate | it offers NTLM, Negotiate: only Basic is supported",
                "407 No\\r\\nproxy-authenticate: Basic realm=\"a\", charset=\"UTF-8\", NTLM | it offers Basic, NTLM: check namespace.main.proxy-password(-file)",
                "407 No | it offers no scheme: check namespace.main.proxy-password(-file)",
                "403 Forbidden | HTTP/1.1 403 Forbidden; see the proxy's list of targets",
                "502 Bad Gateway | for user 'clerk': HTTP/1.1 502 Bad Gateway",
            })
    void a_refusal_is_told_with_what_to_check(String answer, String words) throws Exception {
        String text = "HTTP/1.1 " + answer.replace("\\r\\n", "\r\n") + "\r\n\r\n";

        assertThat(refused(text, Duration.ZERO))
                .hasValueSatisfying(told -> assertThat(told).endsWith(words));
    }

    @Test
    void a_proxy_that_drips_its_answer_has_one_deadline() throws Exception {
        assertThat(refused("HTTP/1.1 200 OK\r\n\r\n", Duration.ofMillis(200)))
                .hasValueSatisfying(told -> assertThat(told)
                        .contains("takes connections, and does not answer CONNECT target:443 within 1 s"));
    }

    @Test
    void an_answer_without_end_has_a_limit() throws Exception {
        assertThat(refused("x".repeat(1 << 20), Duration.ZERO))
                .hasValueSatisfying(told -> assertThat(told).hasSizeLessThan(400));
    }

    @Test
    void a_refused_password_is_tried_again_ever_later() throws Exception {
        var now = new AtomicLong();
        var gate = new ProxyGate(now::get);
        try (var server = answering(BASIC, Duration.ZERO)) {
            gate.ask(probe(server));
            now.addAndGet(ProxyGate.FIRST.toNanos() - 1);
            gate.ask(probe(server));
            assertThat(asked).hasValue(1);
            now.addAndGet(1);
            gate.ask(probe(server));
            assertThat(asked).hasValue(2);
            now.addAndGet(ProxyGate.FIRST.toNanos());
            assertThat(gate.ask(probe(server))).isPresent();
            assertThat(asked).hasValue(2);
            now.addAndGet(ProxyGate.LONGEST.toNanos());
            gate.ask(probe(server));
            assertThat(asked).hasValue(3);
        }
    }

    private Optional<String> refused(String answer, Duration pause) throws Exception {
        try (var server = answering(answer, pause)) {
            return probe(server).refused().map(ProxyProbe.Refusal::words);
        }
    }

    private static ProxyProbe probe(ServerSocket server) {
        var proxy = new Proxy("127.0.0.1", server.getLocalPort(), Optional.of("clerk"), Optional.empty(), List.of());
        return new ProxyProbe("main", proxy, "target:443", Duration.ofSeconds(1));
    }

    // Writes bytes one by one, with a pause after each.
    private ServerSocket answering(String answer, Duration pause) throws IOException {
        var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        var thread = new Thread(() -> {
            while (!server.isClosed()) {
                try (Socket client = server.accept()) {
                    asked.incrementAndGet();
                    client.getInputStream().read();
                    if (pause.isZero()) {
                        client.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
                    }
                    for (char each : pause.isZero() ? new char[0] : answer.toCharArray()) {
                        client.getOutputStream().write(each);
                        Thread.sleep(pause.toMillis());
                    }
                    client.getInputStream().skipNBytes(1 << 10);
                } catch (IOException | InterruptedException e) {
                    Thread.onSpinWait();
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
        return server;
    }
}
