package dev.waybill.standalone.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Probes over real sockets. */
@Timeout(60)
class ProbesTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Socket> sockets = new ArrayList<>();
    private final Probes probes = Probes.serve("127.0.0.1", 0, new Away(), () -> "metric 1\n", new Scale());

    /** Everything else is away. */
    private static final class Away implements ProcessHealth {
        @Override
        public List<HealthCheck> startup() {
            return List.of(new HealthCheck("relay", false, "not started \"yet\""));
        }

        @Override
        public List<HealthCheck> readiness() {
            return startup();
        }
    }

    private static final class Scale implements ScaleQuestions {
        @Override
        public ScaleAnswer destinations() {
            return ScaleAnswer.unavailable("database \"main\"");
        }

        @Override
        public ScaleAnswer sessions(@Nullable String query) {
            return ScaleAnswer.of("sessions", 7, "entity=a%2Fb".equals(query));
        }
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        probes.close();
    }

    @Test
    void clients_that_send_half_a_request_keep_no_probe_waiting() throws Exception {
        for (int i = 0; i < 10; i++) {
            halfARequest();
        }

        assertThat(status("GET", "/livez")).isEqualTo(200);
        assertThat(status("GET", "/metrics")).isEqualTo(200);
    }

    @Test
    @Tag("long")
    void more_slow_clients_than_there_are_threads_are_hung_up_on_in_the_end() throws Exception {
        for (int i = 0; i < 60; i++) {
            halfARequest();
        }

        await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> status("GET", "/livez") == 200);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /livez, 200",
        "HEAD, /livez, 200",
        "POST, /livez, 405",
        "GET, /livezXX, 404",
        "GET, /livez/more, 404",
        "GET, /metricsfoo, 404",
        "GET, /metrics?name=x, 200",
        "GET, /readyz, 503",
        "HEAD, /readyz, 503",
        "GET, /startupz, 503",
        "GET, /scale/destinations, 503",
        "POST, /scale/sessions, 405",
        "GET, /scale/sessions/x, 404",
        "GET, /scale, 404",
        "GET, /, 404"
    })
    void pages_have_exact_paths_and_are_only_read(String method, String path, int status) throws Exception {
        assertThat(status(method, path)).isEqualTo(status);
    }

    @Test
    void a_process_lives_whatever_is_away_and_says_what_that_is() throws Exception {
        assertThat(body("/livez")).contains("\"ok\"");
        assertThat(body("/readyz")).contains("not started \\\"yet\\\"");
    }

    @Test
    void a_scaler_reads_one_number() throws Exception {
        assertThat(body("/scale/sessions?entity=a%2Fb")).isEqualTo("{\"sessions\":7,\"atLeast\":true}\n");
        assertThat(body("/scale/destinations")).isEqualTo("{\"error\":\"database \\\"main\\\"\"}\n");
    }

    private void halfARequest() throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), probes.port());
        sockets.add(socket);
        socket.getOutputStream().write("GET /livez HT".getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    private int status(String method, String path) throws Exception {
        return send(method, path).statusCode();
    }

    private String body(String path) throws Exception {
        return send("GET", path).body();
    }

    private HttpResponse<String> send(String method, String path) throws Exception {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + probes.port() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(4))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }
}
