package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.amqp.AmqpRetryOptions;
import com.azure.core.amqp.exception.AmqpErrorCondition;
import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecurityTest {
    private static final char[] PASSWORD = "password".toCharArray();

    @TempDir
    Path directory;

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

    @Test
    void the_client_library_talks_to_it_over_tls() throws Exception {
        SSLContext identity = identity();
        SSLContext before = SSLContext.getDefault();
        try (EmbeddedServiceBus bus =
                EmbeddedServiceBus.builder().queue("orders").tls(identity).start()) {
            SSLContext.setDefault(identity);
            try (ServiceBusSenderClient sender = client(bus.connectionString())
                    .customEndpointAddress("https://localhost:" + bus.port())
                    .sender()
                    .queueName("orders")
                    .buildClient()) {
                sender.sendMessage(Clients.message("m1"));
                assertThat(bus.inspect("orders").active()).isEqualTo(1);
            }
        } finally {
            SSLContext.setDefault(before);
        }
    }

    @Test
    void a_plain_client_gets_no_answer_from_a_tls_port() throws Exception {
        try (EmbeddedServiceBus bus =
                        EmbeddedServiceBus.builder().tls(identity()).start();
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), bus.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(new byte[] {'A', 'M', 'Q', 'P', 3, 1, 0, 0});
            byte[] answer = socket.getInputStream().readAllBytes();
            assertThat(new String(answer, StandardCharsets.ISO_8859_1)).doesNotContain("AMQP");
        }
    }

    /** A key of this machine's own, which it also trusts. */
    private SSLContext identity() throws Exception {
        Path store = directory.resolve("store.p12");
        if (!Files.exists(store)) {
            Process keytool = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-alias",
                            "bus",
                            "-keyalg",
                            "EC",
                            "-storetype",
                            "PKCS12",
                            "-dname",
                            "CN=localhost",
                            "-ext",
                            "san=dns:localhost,ip:127.0.0.1",
                            "-keystore",
                            store.toString(),
                            "-storepass",
                            new String(PASSWORD))
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("keytool.log").toFile())
                    .start();
            assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory identity = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        identity.init(keys, PASSWORD);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(identity.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
