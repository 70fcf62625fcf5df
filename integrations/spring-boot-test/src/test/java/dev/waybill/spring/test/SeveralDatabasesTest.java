package dev.waybill.spring.test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.TestContextManager;

/** A test would append to databases that the service's own configuration names. */
class SeveralDatabasesTest {
    @Test
    void named_outboxes_are_refused_before_anything_is_started() {
        assertThatThrownBy(() -> new TestContextManager(OfOutboxes.class).prepareTestInstance(new OfOutboxes()))
                .hasStackTraceContaining("waybill.outboxes has [sales]: their data sources would be used as they are")
                .hasStackTraceContaining("Test this service by @SpringBootTest");
    }

    @Test
    void tenants_are_refused_before_anything_is_started() {
        assertThatThrownBy(() -> new TestContextManager(OfTenants.class).prepareTestInstance(new OfTenants()))
                .hasStackTraceContaining("waybill.tenants has [north, south]");
    }

    @WaybillTest(classes = Shop.class, properties = "waybill.outboxes.sales.data-source=salesData")
    static class OfOutboxes {
        @Autowired
        private Shop shop;
    }

    @WaybillTest(classes = Shop.class, properties = "waybill.tenants=north,south")
    static class OfTenants {
        @Autowired
        private Shop shop;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {}
}
