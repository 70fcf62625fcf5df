package dev.waybill.spring.instruments;

import dev.waybill.outbox.TraceContext;
import dev.waybill.outbox.tracing.MessageSpans;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Meters where there is a registry, traces where there is an SDK. */
@Configuration(proxyBeanMethods = false)
public final class InstrumentsConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(InstrumentsConfiguration.class);

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.micrometer.core.instrument.MeterRegistry")
    static class Micrometer {
        @Bean
        Instruments waybillMeters(ObjectProvider<MeterRegistry> registry) {
            MeterRegistry found = only(registry, "MeterRegistry", "There are no meters");
            return found == null ? new Instruments() {} : new Meters(found);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.opentelemetry.api.OpenTelemetry")
    static class Traces {
        @Bean
        Instruments waybillSpans(ObjectProvider<OpenTelemetry> telemetry, Environment environment) {
            OpenTelemetry found = traced(telemetry, environment);
            return found == null ? new Instruments() {} : new Spans(found);
        }

        @Bean
        @ConditionalOnMissingBean
        TraceContext waybillTraceContext(ObjectProvider<OpenTelemetry> telemetry, Environment environment) {
            OpenTelemetry found = traced(telemetry, environment);
            return found == null ? TraceContext.NONE : MessageSpans.of(found);
        }

        private static @Nullable OpenTelemetry traced(ObjectProvider<OpenTelemetry> all, Environment environment) {
            return environment.getProperty("waybill.tracing.enabled", Boolean.class, true)
                    ? only(all, "OpenTelemetry", "Messages are not traced")
                    : null;
        }
    }

    private static <T> @Nullable T only(ObjectProvider<T> all, String type, String otherwise) {
        T found = all.getIfUnique();
        if (found == null && all.stream().findAny().isPresent()) {
            LOG.warn("{}: there are several beans of type {}; make the one for Waybill @Primary", otherwise, type);
        }
        return found;
    }
}
