package dev.waybill.standalone.metrics;

import dev.waybill.standalone.config.ProcessSettings;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The meter registries for scraping and pushing. */
public final class Registries implements AutoCloseable {
    private final CompositeMeterRegistry all = new CompositeMeterRegistry();
    private final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Runnable beforeRead;
    private final JvmGcMetrics collections = new JvmGcMetrics();

    /**
     * Registers the meters of the JVM and of the build.
     *
     * @param beforeRead runs before a scrape or a push
     */
    public Registries(ProcessSettings settings, String version, Runnable beforeRead) {
        this.beforeRead = beforeRead;
        all.add(prometheus);
        settings.metrics().endpoint().ifPresent(url -> all.add(new Pushed(otlp(settings, url), beforeRead)));
        new JvmMemoryMetrics().bindTo(all);
        new JvmThreadMetrics().bindTo(all);
        new ProcessorMetrics().bindTo(all);
        new UptimeMetrics().bindTo(all);
        collections.bindTo(all);
        Gauge.builder("waybill.build.info", () -> 1)
                .description("1; the tags name the build and its Java")
                .tags(
                        "version", version,
                        "java", System.getProperty("java.version"),
                        "instance_name", settings.instance())
                .register(all);
    }

    public MeterRegistry all() {
        return all;
    }

    public String scrape() {
        beforeRead.run();
        return prometheus.scrape();
    }

    private static OtlpConfig otlp(ProcessSettings settings, String url) {
        return new OtlpConfig() {
            @Override
            public @Nullable String get(String key) {
                return null;
            }

            @Override
            public String url() {
                return url;
            }

            @Override
            public Duration step() {
                return settings.metrics().interval();
            }

            @Override
            public Map<String, String> resourceAttributes() {
                return Map.of("service.name", "waybill-relay", "service.instance.id", settings.instance());
            }
        };
    }

    @Override
    public void close() {
        collections.close();
        all.close();
        prometheus.close();
    }

    private static final class Pushed extends OtlpMeterRegistry {
        private final Runnable beforeRead;

        Pushed(OtlpConfig config, Runnable beforeRead) {
            super(config, Clock.SYSTEM);
            this.beforeRead = beforeRead;
        }

        @Override
        protected void publish() {
            beforeRead.run();
            super.publish();
        }
    }
}
