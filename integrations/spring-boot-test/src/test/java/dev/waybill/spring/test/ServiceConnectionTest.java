package dev.waybill.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusMessage;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import dev.waybill.servicebus.embedded.config.QueueOptions;
import dev.waybill.spring.servicebus.ServiceBusConnections;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.testcontainers.azure.ServiceBusEmulatorContainer;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/** Services that are led to a broker by a bean or a container, whatever their properties say. */
class ServiceConnectionTest {
    private static final EmbeddedServiceBus BUS =
            EmbeddedServiceBus.builder().queue("orders").start();

    @AfterAll
    static void close() {
        BUS.close();
    }

    private static void requireReached(ServiceBusConnections connections) {
        long before = BUS.journal("orders").storedCount();
        try (var sender = connections.get().sender().queueName("orders").buildClient()) {
            sender.sendMessage(new ServiceBusMessage("m"));
        }
        assertThat(BUS.journal("orders").storedCount()).isEqualTo(before + 1);
    }

    /** The database is not asked for anything. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    static class Service {
        @Bean
        DriverManagerDataSource dataSource() {
            return new DriverManagerDataSource("jdbc:postgresql://localhost:1/nowhere");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithABroker {
        @Bean(destroyMethod = "")
        EmbeddedServiceBus bus() {
            return BUS;
        }
    }

    @Nested
    @Import(WithABroker.class)
    @SpringBootTest(
            classes = Service.class,
            properties = {"waybill.servicebus.namespace=production", "spring.flyway.enabled=false"})
    class ByABean {
        @Test
        void an_embedded_broker_among_the_beans_is_the_one(@Autowired ServiceBusConnections connections) {
            requireReached(connections);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithAContainer {
        @Bean
        @ServiceConnection
        ServiceBusEmulatorContainer emulator() {
            return new Emulator();
        }
    }

    @Nested
    @Import(WithAContainer.class)
    @SpringBootTest(
            classes = Service.class,
            properties = {"waybill.servicebus.namespace=production", "spring.flyway.enabled=false"})
    class ByAContainer {
        @Test
        void microsofts_emulator_in_a_container_is_the_one(@Autowired ServiceBusConnections connections) {
            requireReached(connections);
        }
    }

    @Nested
    @SpringBootTest(
            classes = Service.class,
            properties = {"waybill.servicebus.namespace=production", "spring.flyway.enabled=false"})
    class ByAnEmbeddedContainer {
        @ServiceConnection
        static final EmbeddedServiceBusContainer CONTAINER =
                new EmbeddedServiceBusContainer(bus -> bus.queue("orders", QueueOptions::requiresSession));

        @Test
        void a_container_of_the_embedded_broker_needs_no_docker_and_is_the_one(
                @Autowired ServiceBusConnections connections) {
            try (var sender = connections.get().sender().queueName("orders").buildClient()) {
                sender.sendMessage(new ServiceBusMessage("m").setSessionId("s"));
            }
            assertThat(CONTAINER.bus().journal("orders").storedCount()).isOne();
        }

        @AfterAll
        static void stop() {
            CONTAINER.stop();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithAnEmbeddedContainer {
        @Bean
        @ServiceConnection
        EmbeddedServiceBusContainer broker() {
            return new EmbeddedServiceBusContainer(bus -> bus.queue("orders"));
        }
    }

    @Nested
    @Import(WithAnEmbeddedContainer.class)
    @SpringBootTest(
            classes = Service.class,
            properties = {"waybill.servicebus.namespace=production", "spring.flyway.enabled=false"})
    class ByABeanThatIsAnEmbeddedContainer {
        @Test
        void it_is_started_with_the_context(
                @Autowired ServiceBusConnections connections, @Autowired EmbeddedServiceBusContainer container) {
            try (var sender = connections.get().sender().queueName("orders").buildClient()) {
                sender.sendMessage(new ServiceBusMessage("m"));
            }
            assertThat(container.bus().journal("orders").storedCount()).isOne();
        }
    }

    @Test
    void an_embedded_container_says_what_it_cannot_do() {
        var container = new EmbeddedServiceBusContainer(bus -> bus);

        assertThat(container.isRunning()).isFalse();
        assertThatThrownBy(container::getConnectionString).hasMessageContaining("has not been started");
        assertThatThrownBy(() -> container.withConfig(Transferable.of("{}")))
                .hasMessageContaining("give its entities to the constructor");
    }

    /** The container without Docker: behind its connection string is the embedded broker. */
    private static final class Emulator extends ServiceBusEmulatorContainer {
        Emulator() {
            super(DockerImageName.parse("mcr.microsoft.com/azure-messaging/servicebus-emulator"));
        }

        @Override
        public void start() {
            // It runs already.
        }

        @Override
        public boolean isRunning() {
            return true;
        }

        @Override
        public void stop() {
            // It is closed with the class.
        }

        @Override
        public String getConnectionString() {
            return BUS.connectionString();
        }
    }
}
