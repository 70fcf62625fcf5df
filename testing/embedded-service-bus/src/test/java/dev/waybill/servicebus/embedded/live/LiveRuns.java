package dev.waybill.servicebus.embedded.live;

import dev.waybill.servicebus.embedded.EmbeddedServiceBus;
import java.nio.file.Path;
import java.util.Map;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Live runs within a test, against a broker that is reached by TLS and HTTPS on ports of its own. */
public final class LiveRuns {
    private LiveRuns() {}

    /** Runs classes or methods, named as the platform names them, and writes the report. */
    public static void run(EmbeddedServiceBus target, Path report, String... selected) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .configurationParameters(Map.of(
                        "junit.jupiter.extensions.autodetection.enabled",
                        "true",
                        LiveSettings.LIVE,
                        "true",
                        LiveSettings.CONNECTION_STRING,
                        target.connectionString(),
                        LiveSettings.AMQP_PORT,
                        String.valueOf(target.port()),
                        LiveSettings.ADMINISTRATION_PORT,
                        String.valueOf(target.administrationPort()),
                        LiveSettings.REPORT,
                        report.toString()));
        for (String name : selected) {
            request.selectors(
                    name.contains("#") ? DiscoverySelectors.selectMethod(name) : DiscoverySelectors.selectClass(name));
        }
        ProcessTrust trust = ProcessTrust.only(target.tlsIdentity().certificatePem());
        try {
            LauncherFactory.create().execute(request.build());
        } finally {
            trust.close();
        }
    }
}
