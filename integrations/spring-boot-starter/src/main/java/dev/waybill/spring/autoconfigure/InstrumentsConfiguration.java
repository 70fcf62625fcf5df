package dev.waybill.spring.autoconfigure;

import dev.waybill.outbox.TraceContext;
import dev.waybill.outbox.tracing.MessageSpans;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters where there is a registry, traces where there is an SDK. */
@Configuration(proxyBeanMethods = false)
class InstrumentsConfiguration {
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.micrometer.core.instrument.MeterRegistry")
    static class Micrometer {
        @Bean
        Instruments waybillMeters(ObjectProvider<MeterRegistry> registry) {
            MeterRegistry found = registry.getIfUnique();
            return found == null ? new Instruments() {} : new Meters(found);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.opentelemetry.api.OpenTelemetry")
    @ConditionalOnProperty(name = "waybill.tracing.enabled", matchIfMissing = true)
    static class Traces {
        @Bean
        Instruments waybillSpans(ObjectProvider<OpenTelemetry> telemetry) {
            OpenTelemetry found = telemetry.getIfUnique();
            return found == null ? new Instruments() {} : new Spans(found);
        }

        @Bean
        @ConditionalOnMissingBean
        TraceContext waybillTraceContext(ObjectProvider<OpenTelemetry> telemetry) {
            OpenTelemetry found = telemetry.getIfUnique();
            return found == null ? TraceContext.NONE : MessageSpans.of(found);
        }
    }
}
