package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.administration.ServiceBusAdministrationClientBuilder;
import dev.waybill.servicebus.embedded.azure.EmbeddedAdministrationPolicy;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The port of administration as clients of HTTP see it. */
@EmbeddedOnly("speaks HTTP without the client library")
class AdministrationPortTest extends BusTest {
    private static final String CREATE = "<entry xmlns='http://www.w3.org/2005/Atom'><content type='application/xml'>"
            + "<QueueDescription xmlns='http://schemas.microsoft.com/netservices/2010/10/servicebus/connect'/></content></entry>";

    @Override
    protected EmbeddedServiceBusBuilder describe() {
        return EmbeddedServiceBus.builder().administrationPort(0).queue("orders");
    }

    private HttpResponse<String> health(HttpClient client, String scheme, int port) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(scheme + "://localhost:" + port + "/health"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void health_is_good_while_clients_are_taken() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        HttpResponse<String> good = health(client, "http", bus.administrationPort());
        assertThat(good.statusCode()).isEqualTo(200);
        assertThat(good.body()).isEqualTo("{\"status\":\"healthy\"}");

        bus.suspend();
        assertThat(health(client, "http", bus.administrationPort()).statusCode())
                .isEqualTo(503);
        bus.resume();
        assertThat(health(client, "http", bus.administrationPort()).statusCode())
                .isEqualTo(200);
    }

    @Test
    void health_needs_no_token() throws Exception {
        try (EmbeddedServiceBus locked = EmbeddedServiceBus.builder()
                .administrationPort(0)
                .accessKey("all", "YWxs")
                .start()) {
            assertThat(health(HttpClient.newHttpClient(), "http", locked.administrationPort())
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void a_broker_with_an_identity_serves_administration_over_tls_and_without() throws Exception {
        try (EmbeddedServiceBus secure =
                EmbeddedServiceBus.builder().administrationPort(0).tls().start()) {
            HttpClient client = HttpClient.newBuilder()
                    .sslContext(secure.tlsIdentity().client())
                    .build();
            assertThat(health(client, "https", secure.administrationPort()).statusCode())
                    .isEqualTo(200);
            assertThat(health(client, "http", secure.administrationPort()).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void a_client_is_led_to_a_broker_by_its_address_alone() {
        var admin = new ServiceBusAdministrationClientBuilder()
                .connectionString(
                        "Endpoint=sb://elsewhere.servicebus.windows.net;SharedAccessKeyName=a;SharedAccessKey=Yg==")
                .addPolicy(EmbeddedAdministrationPolicy.at("localhost", bus.administrationPort()))
                .buildClient();
        assertThat(admin.getQueue("orders").getName()).isEqualTo("orders");
    }

    private String exchange(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), bus.administrationPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            try (InputStream in = socket.getInputStream()) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }

    @Test
    void two_requests_sent_together_are_answered_one_after_the_other() throws Exception {
        String end = "\r\n";
        String first = "GET /orders HTTP/1.1" + end + "Host: x" + end + end;
        String second = "GET /health HTTP/1.1" + end + "Host: x" + end + "Connection: close" + end + end;
        String answers = exchange(first + second);
        assertThat(answers)
                .startsWith("HTTP/1.1 200 OK")
                .contains("https://x/orders")
                .endsWith("{\"status\":\"healthy\"}");
    }

    @Test
    void a_body_in_chunks_is_read_whole() throws Exception {
        String first = CREATE.substring(0, 20);
        String rest = CREATE.substring(20);
        String answer =
                exchange("PUT /made HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                        + Integer.toHexString(20) + "\r\n" + first + "\r\n" + Integer.toHexString(rest.length())
                        + ";x=y\r\n" + rest
                        + "\r\n0\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 201");
        assertThat(bus.inspect("made").active()).isZero();
    }

    @Test
    void a_client_that_waits_to_be_told_to_go_on_is_told() throws Exception {
        String answer = exchange("PUT /made HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n"
                + "Content-Length: " + CREATE.length() + "\r\n\r\n" + CREATE);
        assertThat(answer).startsWith("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201");
    }

    @Test
    void what_is_no_request_is_refused_and_the_connection_closed() throws Exception {
        assertThat(exchange("hello\r\n\r\n")).startsWith("HTTP/1.1 400");
        assertThat(exchange("GET /a\u0000b HTTP/1.1\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400");
        assertThat(exchange("PUT /a HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n"))
                .startsWith("HTTP/1.1 413");
        assertThat(exchange("GET /" + "a".repeat(20_000) + " HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 431");
        assertThat(exchange("POST /orders HTTP/1.1\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 405");
    }
}
