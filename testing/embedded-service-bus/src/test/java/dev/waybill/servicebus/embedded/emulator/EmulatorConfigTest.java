package dev.waybill.servicebus.embedded.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import com.azure.messaging.servicebus.ServiceBusMessage;
import com.azure.messaging.servicebus.ServiceBusSenderClient;
import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EmulatorConfigTest {
    static String sample() throws IOException {
        try (InputStream in = EmulatorConfigTest.class.getResourceAsStream("/emulator/Config.json")) {
            assertThat(in).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void the_emulators_own_file_describes_queues_topics_subscriptions_and_rules() throws IOException {
        try (EmbeddedServiceBus bus = EmulatorConfig.parse(sample()).start();
                ServiceBusSenderClient queue = sender(bus).queueName("queue.1").buildClient();
                ServiceBusSenderClient topic = sender(bus).topicName("topic.1").buildClient()) {
            queue.sendMessage(new ServiceBusMessage("a").setMessageId("same"));
            queue.sendMessage(new ServiceBusMessage("a").setMessageId("same"));
            assertThat(bus.inspect("queue.1").active()).isEqualTo(1);
            ServiceBusMessage big = new ServiceBusMessage("b").setContentType("application/text");
            big.getApplicationProperties().put("region", "eu");
            big.getApplicationProperties().put("amount", 500);
            topic.sendMessage(big);
            topic.sendMessage(new ServiceBusMessage("c"));
            assertThat(bus.inspect("topic.1/Subscriptions/subscription.1").active())
                    .isEqualTo(1);
            assertThat(bus.journal("topic.1/Subscriptions/subscription.2").stored())
                    .hasSize(1);
            assertThat(bus.inspect("topic.1/Subscriptions/subscription.3").active())
                    .isEqualTo(2);
        }
    }

    private static ServiceBusClientBuilder.ServiceBusSenderClientBuilder sender(EmbeddedServiceBus bus) {
        return new ServiceBusClientBuilder()
                .connectionString(bus.connectionString())
                .sender();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'LockDuration\": \"PT1M'|'LockDuration\": \"a minute'|LockDuration is no ISO 8601 duration",
                "'LockDuration\": \"PT1M'|'LockDuration\": \"PT1H'|Lock duration must lie between",
                "'LockDuration\": \"PT1M'|'LockDuration\": \"P'|LockDuration is no ISO 8601 duration",
                "'LockDuration\": \"PT1M'|'LockDuration\": \"P9999999999999999999Y'|LockDuration is no ISO 8601 duration",
                "'LockDuration\": \"PT1M'|'LockDuration\": \"P1YT'|LockDuration is no ISO 8601 duration",
                "'\"MaxDeliveryCount\": 3'|'\"MaxDeliveryCount\": \"3\"'|MaxDeliveryCount is no whole number",
                "'\"MaxDeliveryCount\": 3'|'\"MaxDeliveryCount\": 9999999999'|MaxDeliveryCount is beyond all limits",
                "'\"MaxDeliveryCount\": 3'|'\"MaxDeliveryCounts\": 3'|MaxDeliveryCounts is not known",
                "'\"RequiresSession\": true'|'\"RequiresSession\": \"yes\"'|RequiresSession is no truth value",
                "'amount > 100'|'amount >'|Rules[0].Properties",
                "'\"Name\": \"sessions\", '|''|Queues[1].Name is missing",
                "'\"Name\": \"sessions\", '|'\"Name\": \"sessions\", \"Name\": \"b\", '|Duplicate",
                "'\"UserConfig\"'|'\"Config\"'|UserConfig is missing",
            })
    void a_mistake_is_named_with_its_place(String good, String bad, String expected) throws IOException {
        String broken = sample().replaceFirst(Pattern.quote(good), Matcher.quoteReplacement(bad));
        assertThat(broken).isNotEqualTo(sample());
        assertThatThrownBy(() -> EmulatorConfig.parse(broken))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(expected);
    }

    /** The fields of the emulator's schema, all of them, with comments where its own file has them. */
    @Test
    void every_field_of_the_emulators_schema_is_taken_comments_and_all() throws IOException {
        String file;
        try (InputStream in = EmulatorConfigTest.class.getResourceAsStream("/emulator/AllFields.json")) {
            assertThat(in).isNotNull();
            file = "\uFEFF" + new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        try (EmbeddedServiceBus bus = EmulatorConfig.parse(file).start();
                ServiceBusSenderClient orders =
                        sender(bus).queueName("shop/orders").buildClient();
                ServiceBusSenderClient topic = sender(bus).topicName("prices").buildClient()) {
            orders.sendMessage(new ServiceBusMessage("a").setMessageId("1").setSessionId("s"));
            orders.sendMessage(new ServiceBusMessage("a").setMessageId("1").setSessionId("s"));
            assertThat(bus.inspect("shop/orders").active()).isEqualTo(1);
            bus.advance(Duration.ofDays(365 + 60).plusHours(1));
            assertThat(bus.inspect("lost").active())
                    .as("expired, and forwarded")
                    .isEqualTo(1);
            ServiceBusMessage price = new ServiceBusMessage("p")
                    .setContentType("t")
                    .setCorrelationId("c")
                    .setSubject("l")
                    .setMessageId("m")
                    .setReplyTo("r")
                    .setReplyToSessionId("rs")
                    .setSessionId("s")
                    .setTo("to");
            price.getApplicationProperties().put("k", "v");
            topic.sendMessage(price);
            topic.sendMessage(new ServiceBusMessage("p").setMessageId("other"));
            assertThat(bus.inspect("prices/Subscriptions/exact").active()).isEqualTo(1);
            assertThat(bus.inspect("prices/Subscriptions/marked").active()).isEqualTo(1);
            assertThat(bus.inspect("prices/Subscriptions/plain").active()).isEqualTo(2);
        }
    }

    @Test
    void a_file_that_is_not_there_is_named() {
        assertThatThrownBy(() -> EmulatorConfig.read(Path.of("no", "such.json")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("such.json");
    }

    @Test
    void text_that_is_no_json_is_refused() {
        assertThatThrownBy(() -> EmulatorConfig.parse("{")).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> EmulatorConfig.parse("")).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> EmulatorConfig.parse("[]")).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> EmulatorConfig.parse("{} {}")).isInstanceOf(ConfigException.class);
    }

    @Test
    void a_second_namespace_is_refused() {
        assertThatThrownBy(() -> EmulatorConfig.parse("{\"UserConfig\":{\"Namespaces\":[{},{}]}}"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("one element");
    }
}
