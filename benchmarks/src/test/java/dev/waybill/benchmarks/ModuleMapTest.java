package dev.waybill.benchmarks;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.List;
import java.util.stream.Stream;

/**
 * The map of the modules: what each may use. Maven's dependencies say the same between modules; this says it also where a
 * test or an application puts everything on one class path.
 */
@AnalyzeClasses(
        packages = "dev.waybill",
        importOptions = {DoNotIncludeTests.class, WithoutTestJars.class})
class ModuleMapTest {
    private static final Module SCHEMA = new Module("schema", "dev.waybill.schema..");
    private static final Module MIGRATIONS = new Module("migrations", "dev.waybill.migrations..", SCHEMA);
    private static final Module OUTBOX = new Module(
            "outbox-core",
            List.of("dev.waybill.message..", "dev.waybill.outbox..", "dev.waybill.hold..", "dev.waybill.supervision.."),
            SCHEMA);
    private static final Module RELAY = new Module("outbox-relay", "dev.waybill.relay..", SCHEMA, OUTBOX);
    private static final Module INBOX = new Module("inbox-consumer", "dev.waybill.inbox..", SCHEMA, OUTBOX);
    private static final Module SERVICE_BUS = new Module(
            "service-bus",
            List.of(
                    "dev.waybill.servicebus",
                    "dev.waybill.servicebus.publisher..",
                    "dev.waybill.servicebus.receiver.."),
            OUTBOX,
            RELAY,
            INBOX);
    private static final Module JAKARTA =
            new Module("jakarta-transactions", "dev.waybill.jakarta..", SCHEMA, OUTBOX, INBOX);
    private static final Module DEAD_LETTERS = new Module(
            "dead-letters", List.of("dev.waybill.deadletter..", "dev.waybill.journey.."), SCHEMA, OUTBOX, SERVICE_BUS);
    private static final Module SPRING = new Module(
            "spring-boot-starter",
            List.of(
                    "dev.waybill.spring",
                    "dev.waybill.spring.autoconfigure..",
                    "dev.waybill.spring.bodies..",
                    "dev.waybill.spring.figures..",
                    "dev.waybill.spring.instruments..",
                    "dev.waybill.spring.servicebus..",
                    "dev.waybill.spring.tenants.."),
            SCHEMA,
            MIGRATIONS,
            OUTBOX,
            SERVICE_BUS,
            RELAY,
            INBOX);
    private static final Module MODULITH = new Module("spring-modulith", "dev.waybill.modulith..", OUTBOX, SPRING);
    private static final Module BROKER = new Module("embedded-service-bus", "dev.waybill.servicebus.embedded..");
    private static final Module POSTGRES = new Module("embedded-postgres", "dev.waybill.embedded.postgres..");
    private static final Module TEST_KIT = new Module(
            "test-kit", "dev.waybill.test..", SCHEMA, MIGRATIONS, OUTBOX, SERVICE_BUS, RELAY, INBOX, BROKER, POSTGRES);
    private static final Module SPRING_TEST = new Module(
            "spring-boot-test", "dev.waybill.spring.test..", SCHEMA, OUTBOX, INBOX, SPRING, BROKER, TEST_KIT);
    private static final Module ADMIN = new Module(
            "admin",
            List.of(
                    "dev.waybill.standalone.config..",
                    "dev.waybill.standalone.cost..",
                    "dev.waybill.standalone.database..",
                    "dev.waybill.standalone.doctor..",
                    "dev.waybill.standalone.identity..",
                    "dev.waybill.standalone.log..",
                    "dev.waybill.standalone.message..",
                    "dev.waybill.standalone.replay..",
                    "dev.waybill.standalone.servicebus..",
                    "dev.waybill.standalone.topology.."),
            SCHEMA,
            MIGRATIONS,
            OUTBOX,
            RELAY,
            INBOX,
            SERVICE_BUS,
            DEAD_LETTERS);
    private static final Module CONSOLE = new Module(
            "console", List.of("dev.waybill.standalone.console.."), SCHEMA, OUTBOX, RELAY, INBOX, DEAD_LETTERS, ADMIN);
    private static final Module CLI = new Module(
            "cli",
            List.of(
                    "dev.waybill.standalone",
                    "dev.waybill.standalone.cli..",
                    "dev.waybill.standalone.health..",
                    "dev.waybill.standalone.metrics..",
                    "dev.waybill.standalone.scale..",
                    "dev.waybill.standalone.service..",
                    "dev.waybill.standalone.tracing.."),
            SCHEMA,
            MIGRATIONS,
            OUTBOX,
            RELAY,
            INBOX,
            DEAD_LETTERS,
            ADMIN,
            CONSOLE);
    private static final Module SAMPLE = new Module(
            "sample-app",
            List.of(
                    "dev.waybill.walletforge",
                    "dev.waybill.walletforge.analytics..",
                    "dev.waybill.walletforge.archive..",
                    "dev.waybill.walletforge.fraud..",
                    "dev.waybill.walletforge.http..",
                    "dev.waybill.walletforge.installation..",
                    "dev.waybill.walletforge.ledger..",
                    "dev.waybill.walletforge.notification..",
                    "dev.waybill.walletforge.payment..",
                    "dev.waybill.walletforge.repair..",
                    "dev.waybill.walletforge.servicebus..",
                    "dev.waybill.walletforge.standingorder..",
                    "dev.waybill.walletforge.statement..",
                    "dev.waybill.walletforge.transfer.."),
            SCHEMA,
            MIGRATIONS,
            OUTBOX,
            RELAY,
            INBOX,
            SERVICE_BUS,
            DEAD_LETTERS);
    private static final Module SAMPLE_DEMO = new Module(
            "sample-demo",
            "dev.waybill.walletforge.demo..",
            SCHEMA,
            OUTBOX,
            RELAY,
            INBOX,
            DEAD_LETTERS,
            BROKER,
            POSTGRES,
            SAMPLE);

    private static final List<Module> MODULES = List.of(
            SCHEMA,
            MIGRATIONS,
            OUTBOX,
            RELAY,
            INBOX,
            SERVICE_BUS,
            JAKARTA,
            SPRING,
            DEAD_LETTERS,
            BROKER,
            POSTGRES,
            TEST_KIT,
            SPRING_TEST,
            MODULITH,
            ADMIN,
            CONSOLE,
            CLI,
            SAMPLE,
            SAMPLE_DEMO);

    @ArchTest
    static void a_module_uses_only_those_below_it(JavaClasses all) {
        MODULES.forEach(module -> module.check(all));
    }

    /** A module: its packages, and the modules that it may use. */
    private record Module(String name, List<String> packages, List<Module> below) {
        private Module(String name, String packages, Module... below) {
            this(name, List.of(packages), List.of(below));
        }

        private Module(String name, List<String> packages, Module... below) {
            this(name, packages, List.of(below));
        }

        private void check(JavaClasses all) {
            String[] own = packages.toArray(String[]::new);
            String[] allowed = Stream.concat(
                            packages.stream(), below.stream().flatMap(module -> module.packages.stream()))
                    .toArray(String[]::new);
            classes()
                    .that()
                    .resideInAnyPackage(own)
                    .should()
                    .onlyDependOnClassesThat(
                            resideOutsideOfPackage("dev.waybill..").or(resideInAnyPackage(allowed)))
                    .because(name + " stands on "
                            + below.stream().map(Module::name).toList())
                    .check(all);
        }
    }
}
