package dev.waybill.standalone.service;

import dev.waybill.standalone.config.Configuration;
import dev.waybill.standalone.config.DatabaseSettings;
import dev.waybill.standalone.config.DatabaseSettings.SignIn;
import dev.waybill.standalone.config.DestinationSettings;
import dev.waybill.standalone.config.ProcessSettings;
import dev.waybill.standalone.config.ProgramVersion;
import dev.waybill.standalone.database.DatabaseFailure;
import dev.waybill.standalone.servicebus.Bus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs version, host and configuration at the start, without secrets. */
final class StartupLog {
    private static final Logger LOG = LoggerFactory.getLogger(RelayService.class);
    private static final long MEBIBYTE = 1 << 20;

    private StartupLog() {}

    static void tell(Configuration configuration) {
        ProcessSettings process = configuration.process();
        LOG.info(
                "waybill-relay {} starts as instance '{}', process {}, Java {} of {}, {} processors, heap of {} MiB",
                ProgramVersion.text(),
                process.instance(),
                ProcessHandle.current().pid(),
                System.getProperty("java.version"),
                System.getProperty("java.vendor"),
                Runtime.getRuntime().availableProcessors(),
                Runtime.getRuntime().maxMemory() / MEBIBYTE);
        configuration.databases().forEach(database -> tell(configuration, database));
        configuration.namespaces().forEach(namespace -> new Bus(namespace).announce());
        LOG.info(
                "Leases last {} s, a send at most {} s, a stop at most {} s",
                configuration.relay().leaseDuration().toSeconds(),
                configuration.relay().sendDeadline().toSeconds(),
                process.shutdownDeadline().toSeconds());
        if (!configuration.ignoredVariables().isEmpty()) {
            LOG.info(
                    "Ignored environment variables, which Kubernetes sets for services: {}; in a pod with"
                            + " enableServiceLinks: false there are none",
                    String.join(", ", configuration.ignoredVariables()));
        }
        if (!configuration.variablesOfSpring().isEmpty()) {
            LOG.warn(
                    "Ignored environment variables, which only the Spring starter reads: {}. Options of this program are"
                            + " spelled WAYBILL_DESTINATION_NAME_SESSIONS; 'waybill-relay config print' lists them",
                    String.join(", ", configuration.variablesOfSpring()));
        }
    }

    private static void tell(Configuration configuration, DatabaseSettings database) {
        LOG.info(
                "Database '{}' at {}, schema '{}'{}, pool of {}, namespace '{}', destinations {}, dead letters of {}",
                database.name(),
                DatabaseFailure.hosts(database),
                database.schema(),
                user(database.connection().signIn()),
                database.connection().poolSize(),
                database.namespace(),
                configuration.destinations(database).stream()
                        .map(DestinationSettings::name)
                        .toList(),
                database.collect());
    }

    private static String user(SignIn signIn) {
        String credential =
                signIn.credential().map(name -> " with the identity " + name).orElse("");
        return signIn.user().map(user -> ", user '" + user + "'" + credential).orElse(credential);
    }
}
