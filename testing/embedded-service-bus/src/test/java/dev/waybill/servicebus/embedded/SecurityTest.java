package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.amqp.AmqpTransportType;
import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusReceivedMessage;
import com.azure.messaging.servicebus.ServiceBusReceiverClient;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.waybill.servicebus.embedded.live.EmbeddedOnly;
import dev.waybill.servicebus.embedded.security.TlsIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@EmbeddedOnly("is about the embedded broker's certificate and keys")
class SecurityTest {
    private static ServiceBusClientBuilder client(String connectionString) {
        return new ServiceBusClientBuilder()
                .connectionString(connectionString)
                .retryOptions(new AmqpRetryOptions().setMaxRetries(0).setTryTimeout(Duration.ofSeconds(5)));
    }

    @Test
    void the_right_key_opens_its_entities() {
        try (EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
                        .queue("orders")
                        .accessKey("sender", "c2VjcmV0")
                        .start();
                ServiceBusSenderClient sender = client(bus.connectionString())
                        .sender()
                        .queueName("orders")
                        .buildClient()) {
            sender.sendMessage(Clients.message("m1"));
            assertThat(bus.inspect("orders").active()).isEqualTo(1);
        }
    }

    @Test
    void a_wrong_key_is_unauthorized() {
        try (EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
                        .queue("orders")
                        .accessKey("sender", "c2VjcmV0")
                        .start();
                ServiceBusSenderClient sender = client(bus.connectionString().replace("c2VjcmV0", "d3Jvbmc="))
                        .sender()
                        .queueName("orders")
                        .buildClient()) {
            assertThatThrownBy(() -> sender.sendMessage(Clients.message("m1")))
                    .satisfies(
                            e -> assertThat(Clients.conditionOf(e)).isEqualTo(AmqpErrorCondition.UNAUTHORIZED_ACCESS));
            assertThat(bus.journal("orders").stored()).isEmpty();
        }
    }

    @Test
    void an_unknown_key_name_is_unauthorized() {
        try (EmbeddedServiceBus bus = EmbeddedServiceBus.builder()
                        .queue("orders")
                        .accessKey("sender", "c2VjcmV0")
                        .start();
                ServiceBusSenderClient sender = client(bus.connectionString().replace("=sender;", "=nobody;"))
                        .sender()
                        .queueName("orders")
                        .buildClient()) {
            assertThatThrownBy(() -> sender.sendMessage(Clients.message("m1")))
                    .satisfies(
                            e -> assertThat(Clients.conditionOf(e)).isEqualTo(AmqpErrorCondition.UNAUTHORIZED_ACCESS));
        }
    }

    private static ServiceBusClientBuilder secureClient(EmbeddedServiceBus bus) {
        return client(bus.connectionString()).customEndpointAddress("https://localhost:" + bus.port());
    }

    private static void sendsAndReceives(EmbeddedServiceBus bus, ServiceBusClientBuilder builder, String body) {
        try (ServiceBusSenderClient sender =
                        builder.sender().queueName("orders").buildClient();
                ServiceBusReceiverClient receiver =
                        builder.receiver().queueName("orders").buildClient()) {
            sender.sendMessage(new ServiceBusMessage(body).setMessageId("m1"));
            ServiceBusReceivedMessage received = Clients.receiveOne(receiver);
            assertThat(received.getBody().toString()).isEqualTo(body);
            receiver.complete(received);
        }
        assertThat(bus.journal("orders").settlements()).hasSize(1);
    }

    @Test
    void the_client_library_talks_to_it_over_tls_once_its_certificate_is_trusted() {
        try (EmbeddedServiceBus bus =
                        EmbeddedServiceBus.builder().queue("orders").tls().start();
                TlsIdentity.Trusted trusted = bus.tlsIdentity().trustInThisProcess()) {
            assertThat(trusted).isNotNull();
            sendsAndReceives(bus, secureClient(bus), "over TLS");
        }
    }

    @Test
    @Tag("long")
    void a_client_that_does_not_trust_the_certificate_refuses_the_broker() {
        try (EmbeddedServiceBus bus =
                        EmbeddedServiceBus.builder().queue("orders").tls().start();
                ServiceBusSenderClient sender =
                        secureClient(bus).sender().queueName("orders").buildClient()) {
            assertThatThrownBy(() -> sender.sendMessage(Clients.message("m1"))).isInstanceOf(Exception.class);
            assertThat(bus.journal("orders").stored()).isEmpty();
        }
    }

    @Test
    void trust_ends_when_it_is_closed() throws Exception {
        SSLContext before = SSLContext.getDefault();
        TlsIdentity.create().trustInThisProcess().close();
        assertThat(SSLContext.getDefault()).isSameAs(before);
    }

    @Test
    void an_identity_is_for_this_machine_by_name_and_number() throws Exception {
        TlsIdentity identity = TlsIdentity.create();
        identity.certificate().verify(identity.certificate().getPublicKey());
        identity.certificate().checkValidity();
        assertThat(identity.certificate().getSubjectAlternativeNames())
                .extracting(name -> String.valueOf(name.get(1)))
                .containsExactly("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");
        assertThat(identity.certificatePem()).startsWith("-----BEGIN CERTIFICATE-----\n");
    }

    @Test
    void the_client_library_talks_to_it_by_web_socket() {
        try (EmbeddedServiceBus bus =
                        EmbeddedServiceBus.builder().queue("orders").tls().start();
                TlsIdentity.Trusted trusted = bus.tlsIdentity().trustInThisProcess()) {
            assertThat(trusted).isNotNull();
            // Longer than a frame, and than what a length of two bytes can tell.
            String body = "by Web Socket ".repeat(10_000);
            sendsAndReceives(bus, secureClient(bus).transportType(AmqpTransportType.AMQP_WEB_SOCKETS), body);
        }
    }

    @Test
    void who_asks_for_a_web_socket_somewhere_else_is_told_so() throws Exception {
        try (EmbeddedServiceBus bus = EmbeddedServiceBus.builder().start();
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), bus.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 404");
        }
    }

    @Test
    void a_tls_client_is_refused_by_a_plain_port_and_does_not_wait() throws Exception {
        try (EmbeddedServiceBus bus =
                EmbeddedServiceBus.builder().administrationPort(0).start()) {
            for (int port : new int[] {bus.administrationPort(), bus.port()}) {
                try (Socket socket = SSLContext.getDefault()
                        .getSocketFactory()
                        .createSocket(InetAddress.getLoopbackAddress(), port)) {
                    socket.setSoTimeout(20_000);
                    assertThatThrownBy(((SSLSocket) socket)::startHandshake)
                            .isInstanceOf(IOException.class)
                            .isNotInstanceOf(SocketTimeoutException.class);
                }
            }
        }
    }

    @Test
    void a_plain_client_gets_no_answer_from_a_tls_port() throws Exception {
        try (EmbeddedServiceBus bus = EmbeddedServiceBus.builder().tls().start();
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), bus.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(new byte[] {'A', 'M', 'Q', 'P', 3, 1, 0, 0});
            byte[] answer = socket.getInputStream().readAllBytes();
            assertThat(new String(answer, StandardCharsets.ISO_8859_1)).doesNotContain("AMQP");
        }
    }
}
