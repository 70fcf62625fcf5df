package dev.waybill.walletforge.demo.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.waybill.walletforge.demo.WalletForge;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The page and its buttons, over HTTP. */
@Tag("long")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class ServeTest {
    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    private Path mails;

    private RunningParts parts;
    private Served served;

    @BeforeEach
    void serve() throws IOException {
        parts = RunningParts.start(Optional.empty(), Optional.empty(), mails);
        served = Served.start(
                parts, new ServeCommand.Settings(0, 20, "http://127.0.0.1:8090/"), WalletForge.class.getName());
    }

    @AfterEach
    void stop() {
        served.close();
        parts.close();
    }

    @Test
    void each_disaster_passes_and_nothing_is_lost_doubled_or_out_of_order() throws Exception {
        awaitBooked(20);
        for (String disaster :
                List.of("kill-relay", "throttle-broker", "poison-payment", "hold-transaction", "take-database")) {
            assertThat(press(disaster, "http://127.0.0.1:" + served.port())).isEqualTo(202);
        }
        await().atMost(30, TimeUnit.SECONDS)
                .until(() -> !live().path("database").asBoolean());
        await().atMost(60, TimeUnit.SECONDS).until(() -> live().path("database").asBoolean());

        awaitBooked(live().path("accepted").asLong() + 40);
        await().atMost(60, TimeUnit.SECONDS).until(() -> live().path("poisoned").asInt(-1) == 0);
        JsonNode live = live();
        assertThat(List.of("lost", "doubled", "out_of_order"))
                .allSatisfy(counter ->
                        assertThat(live.path(counter).asInt(-1)).as(counter).isZero());
        assertThat(live.path("wallets")).isNotEmpty();
        assertThat(live.path("console").asText()).isEqualTo("http://127.0.0.1:8090/");
    }

    @Test
    void the_page_asks_no_other_site_and_no_other_site_presses_its_buttons() throws Exception {
        for (String path : List.of("/", "/page.js", "/page.css")) {
            var answer = get(path);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).doesNotContain("http:").doesNotContain("https:");
            assertThat(answer.headers().firstValue("Content-Security-Policy"))
                    .hasValueSatisfying(policy -> assertThat(policy).contains("default-src 'none'"));
        }
        String own = "http://127.0.0.1:" + served.port();
        assertThat(press("kill-relay", "http://elsewhere.example")).isEqualTo(403);
        assertThat(press("kill-relay", "")).isEqualTo(403);
        assertThat(press("no-such-disaster", own)).isEqualTo(404);
    }

    private void awaitBooked(long count) {
        await().atMost(90, TimeUnit.SECONDS).until(() -> live().path("booked").asLong() >= count);
    }

    private JsonNode live() throws IOException, InterruptedException {
        return new ObjectMapper().readTree(get("/live").body());
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return http.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
    }

    private int press(String disaster, String origin) throws IOException, InterruptedException {
        var request = request("/disasters/" + disaster).POST(HttpRequest.BodyPublishers.noBody());
        if (!origin.isEmpty()) {
            request.header("Origin", origin);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + served.port() + path));
    }
}
