package dev.waybill.spring.servicebus;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.azure.messaging.servicebus.ServiceBusMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** An endpoint in place of the namespace's host counts, whichever properties name the namespace. */
class EndpointsTest {
    private static final String AZURE = "spring.cloud.azure.servicebus.";
    private static final String KEY = "Endpoint=sb://shop.example.invalid/;SharedAccessKeyName=n;SharedAccessKey=a2V5";

    private final Logger logger = (Logger) LoggerFactory.getLogger(PropertyConnections.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private ServerSocket endpoint;

    @BeforeEach
    void listen() throws IOException {
        endpoint = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        endpoint.setSoTimeout(30_000);
        log.start();
        logger.setLevel(Level.WARN);
        logger.addAppender(log);
    }

    @AfterEach
    void stop() throws IOException {
        logger.detachAppender(log);
        logger.setLevel(null);
        endpoint.close();
    }

    @ParameterizedTest
    @CsvSource({"true, false", "false, true", "false, false"})
    void an_endpoint_is_used_beside_a_namespace_of_the_other_properties(boolean ownNamespace, boolean ownEndpoint)
            throws IOException {
        String address = "https://localhost:" + endpoint.getLocalPort();
        var own = new ServiceBusProperties(ownNamespace ? KEY : null, null, ownEndpoint ? address : null);
        Map<String, Object> azures = Map.of(
                AZURE + "connection-string", ownNamespace ? "" : KEY,
                AZURE + "custom-endpoint-address", ownEndpoint ? "" : address);

        try (var sender =
                connections(own, azures).get().sender().queueName("orders").buildAsyncClient()) {
            sender.sendMessage(new ServiceBusMessage("x")).subscribe(sent -> {}, failure -> {});
            try (Socket connected = endpoint.accept()) {
                assertThat(connected.isConnected()).isTrue();
            }
        }
        assertThat(log.list).isEmpty();
    }

    @Test
    void an_endpoint_of_another_namespace_is_left_with_a_warning() {
        var own = new ServiceBusProperties(null, "shop.servicebus.windows.net", null);
        Map<String, Object> azures =
                Map.of(AZURE + "namespace", "other", AZURE + "custom-endpoint-address", "https://localhost:1");

        assertThat(connections(own, azures)).isNotNull();

        assertThat(log.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .contains(AZURE + "custom-endpoint-address", "another namespace");
    }

    private static PropertyConnections connections(ServiceBusProperties own, Map<String, @Nullable Object> azures) {
        var environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", azures));
        return new PropertyConnections(own, environment, () -> request -> reactor.core.publisher.Mono.empty());
    }
}
