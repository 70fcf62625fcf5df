package dev.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.spring.TestService;
import dev.waybill.spring.servicebus.ServiceBusConnections;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Spring Cloud Azure's properties say about the network, and what of it is not taken over. */
@ExtendWith(TestService.Extension.class)
class AzureNetworkTest {
    private static final String AZURE = "spring.cloud.azure.";
    private static final String NAMESPACE =
            "Endpoint=sb://shop.example.invalid/;SharedAccessKeyName=n;SharedAccessKey=a2V5";

    private TestService service;

    @BeforeEach
    void take(TestService service) {
        this.service = service;
    }

    private Apps app() {
        return Apps.on(service)
                .with("waybill.servicebus.connection-string", "")
                .with(AZURE + "servicebus.connection-string", NAMESPACE);
    }

    @ParameterizedTest
    @CsvSource({
        "AZURE_CHINA, mine.servicebus.chinacloudapi.cn",
        "azure-us-government, mine.servicebus.usgovcloudapi.net",
        "AZURE, mine.servicebus.windows.net"
    })
    void the_domain_of_a_namespace_is_that_of_its_cloud(String cloud, String host) {
        try (var context = Apps.on(service)
                        .with("waybill.servicebus.connection-string", "")
                        .with(AZURE + "servicebus.namespace", "mine")
                        .with(AZURE + "profile.cloud-type", cloud)
                        .with(AZURE + "profile.tenant-id", "t")
                        .with(AZURE + "credential.client-id", "c")
                        .with(AZURE + "credential.client-secret", "s")
                        .with("waybill.relay.enabled", "false")
                        .run();
                var sender = context.getBean(ServiceBusConnections.class)
                        .get()
                        .sender()
                        .queueName("orders")
                        .buildAsyncClient()) {
            assertThat(sender.getFullyQualifiedNamespace()).isEqualTo(host);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "waybill.servicebus.namespace, mine, is no host name",
        "waybill.servicebus.namespace, sb://mine.servicebus.windows.net/, is no host name",
        "waybill.destinations.orders.maximum-size, 3GB, waybill.destinations.orders.maximum-size is",
        "waybill.destinations.orders.claims-above, -1B, waybill.destinations.orders.claims-above is"
    })
    void a_value_that_cannot_serve_is_refused_at_the_start_with_its_property(
            String property, String value, String words) {
        assertThatThrownBy(() -> Apps.on(service)
                        .with("waybill.servicebus.connection-string", "")
                        .with(property, value)
                        .run())
                .hasStackTraceContaining(words);
    }

    @ParameterizedTest
    @CsvSource({
        "servicebus.client.transport-type, servicebus.proxy.",
        "client.amqp.transport-type, proxy.",
        "servicebus.client.transport-type, proxy."
    })
    void web_sockets_and_a_proxy_are_used(String transport, String proxy) throws Exception {
        try (var listening = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                var lines = Lines.of("dev.waybill.spring.servicebus");
                var context = app().with(AZURE + transport, "AmqpWebSockets")
                        .with(AZURE + proxy + "hostname", "127.0.0.1")
                        .with(AZURE + proxy + "port", listening.getLocalPort())
                        .with(AZURE + proxy + "type", "http")
                        .builder()
                        .initializers(any -> lines.listen())
                        .run()) {
            CompletableFuture<String> asked = CompletableFuture.supplyAsync(() -> firstLine(listening));
            var sender = context.getBean(ServiceBusConnections.class)
                    .get()
                    .sender()
                    .queueName("orders")
                    .buildAsyncClient();
            var sending = sender.sendMessage(new ServiceBusMessage("x")).subscribe(done -> {}, failure -> {});
            try {
                assertThat(asked.get(60, TimeUnit.SECONDS)).startsWith("CONNECT shop.example.invalid:443");
            } finally {
                sending.dispose();
                sender.close();
            }
            assertThat(lines.at(Level.WARN)).isEmpty();
        }
    }

    private static String firstLine(ServerSocket listening) {
        try (Socket socket = listening.accept();
                var reader =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            return String.valueOf(reader.readLine());
        } catch (IOException e) {
            return e.toString();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "servicebus.retry.mode, fixed",
        "servicebus.producer.client.transport-type, AmqpWebSockets",
        "servicebus.client.application-id, shop",
        "servicebus.proxy.hostname, 10.0.0.1",
        "proxy.hostname, 10.0.0.1",
        "retry.fixed.delay, 1s"
    })
    void what_is_not_taken_over_is_named(String name, String value) {
        try (var lines = Lines.of("dev.waybill.spring.servicebus");
                var context = app().with(AZURE + name, value)
                        .builder()
                        .initializers(any -> lines.listen())
                        .run()) {
            assertThat(context.isActive()).isTrue();
            assertThat(lines.at(Level.WARN))
                    .singleElement()
                    .satisfies(line -> assertThat(line).contains("do not use [" + AZURE + name + "]"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "servicebus.namespace, shop",
        "servicebus.credential.client-id, x",
        "profile.tenant-id, t",
        "servicebus.entity-name, orders",
        "servicebus.processor.prefetch-count, 3",
        "storage.blob.endpoint, https://x"
    })
    void what_is_used_or_is_about_other_clients_is_no_reason_to_warn(String name, String value) {
        try (var lines = Lines.of("dev.waybill.spring.servicebus");
                var context = app().with(AZURE + name, value)
                        .builder()
                        .initializers(any -> lines.listen())
                        .run()) {
            assertThat(context.isActive()).isTrue();
            assertThat(lines.at(Level.WARN)).isEmpty();
        }
    }

    @Test
    void a_proxy_without_a_port_and_an_unknown_transport_are_refused_by_name() {
        assertThatThrownBy(() -> app().with(AZURE + "servicebus.client.transport-type", "AmqpWebSockets")
                        .with(AZURE + "proxy.hostname", "10.0.0.1")
                        .run()
                        .close())
                .hasStackTraceContaining("there is no spring.cloud.azure.proxy.port");
        assertThatThrownBy(() -> app().with(AZURE + "servicebus.client.transport-type", "carrier-pigeon")
                        .run()
                        .close())
                .hasStackTraceContaining("spring.cloud.azure.servicebus.client.transport-type");
    }
}
