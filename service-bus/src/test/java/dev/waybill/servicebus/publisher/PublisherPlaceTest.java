package dev.waybill.servicebus.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.messaging.servicebus.ServiceBusClientBuilder;
import org.junit.jupiter.api.Test;

/** Where a publisher says that it publishes to, without a connection. */
class PublisherPlaceTest {
    @Test
    void the_place_is_the_host_and_the_entity_in_one_spelling() {
        try (var publisher = ServiceBusPublisher.of(
                "Endpoint=sb://Shop.servicebus.windows.net/;SharedAccessKeyName=k;SharedAccessKey=c2VjcmV0")) {
            assertThat(publisher.place("Orders")).isEqualTo("shop.servicebus.windows.net/orders");
        }
    }

    @Test
    void a_configuration_that_the_sdk_refuses_has_no_place_and_is_told_by_the_send() {
        try (var publisher = ServiceBusPublisher.of(ServiceBusClientBuilder::new)) {
            assertThat(publisher.place("orders")).isEmpty();
        }
    }
}
