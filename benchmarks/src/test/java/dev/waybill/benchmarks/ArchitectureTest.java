package dev.waybill.benchmarks;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** The rules of the house, over the main classes of every module: this one sees them all. */
@AnalyzeClasses(
        packages = "dev.waybill",
        importOptions = {DoNotIncludeTests.class, WithoutTestJars.class})
class ArchitectureTest {
    private static final String GENERATED = "dev.waybill.schema.jooq..";

    /** What users of the inbox begin with. All else in its API is values, which know no room but the two at the bottom. */
    private static final String INBOX_ENTRANCES = "dev\\.waybill\\.inbox\\."
            + "(InboxConsumer|ConsumerOptions|Inbox|InboxHolds|InboxMaintenance|IdempotencyKeys|Deferrals)(\\$.*)?";

    /** The rooms of the inbox, each of which knows only those before it. */
    private static final List<String> INBOX_ROOMS = List.of(
            "dev.waybill.inbox.failure",
            "dev.waybill.inbox.connect",
            "dev.waybill.inbox.settings",
            "dev.waybill.inbox.lock",
            "dev.waybill.inbox.event",
            "dev.waybill.inbox.heartbeat",
            "dev.waybill.inbox.defer",
            "dev.waybill.inbox.record",
            "dev.waybill.inbox.transaction",
            "dev.waybill.inbox.settle",
            "dev.waybill.inbox.handle",
            "dev.waybill.inbox.hold",
            "dev.waybill.inbox.receive",
            "dev.waybill.inbox.run");

    @ArchTest
    static final ArchRule packages_have_no_cycles = slices().matching("dev.waybill.(**)")
            .should()
            .beFreeOfCycles()
            .ignoreDependency(resideInAPackage(GENERATED), resideInAPackage(GENERATED))
            .ignoreDependency(resideInAPackage("dev.waybill.relay"), resideInAPackage("dev.waybill.relay.."))
            .ignoreDependency(nameMatching(INBOX_ENTRANCES), resideInAPackage("dev.waybill.inbox.."))
            .ignoreDependency(
                    nameMatching(DeadLettersArchitectureTest.ENTRANCES), resideInAPackage("dev.waybill.deadletter.."))
            .because(
                    "data flows one way; only the entrances of relay, inbox and dead letters make what their rooms hold");

    @ArchTest
    static final ArchRule the_rooms_of_the_relay_do_not_know_its_loop = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.waybill.relay.connect..",
                    "dev.waybill.relay.read..",
                    "dev.waybill.relay.send..",
                    "dev.waybill.relay.settle..",
                    "dev.waybill.relay.schedule..",
                    "dev.waybill.relay.lease..",
                    "dev.waybill.relay.claims..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.waybill.relay.loop..")
            .because("a message passes each room once, in the order of the loop's turn");

    @ArchTest
    static final ArchRule no_room_of_the_inbox_knows_one_behind_it = CompositeArchRule.of(IntStream.range(
                            0, INBOX_ROOMS.size() - 1)
                    .mapToObj(i -> knowsNone(INBOX_ROOMS.get(i), INBOX_ROOMS.subList(i + 1, INBOX_ROOMS.size())))
                    .toList())
            .because("a received message passes each room once, and its outcome comes back as a value");

    private static ArchRule knowsNone(String room, List<String> behind) {
        return noClasses()
                .that()
                .resideInAPackage(room)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(behind.toArray(String[]::new));
    }

    @ArchTest
    static final ArchRule no_room_of_the_inbox_knows_its_entrances = noClasses()
            .that()
            .resideInAnyPackage(INBOX_ROOMS.toArray(String[]::new))
            .should()
            .dependOnClassesThat(nameMatching(INBOX_ENTRANCES))
            .because("the entrances make what the rooms hold");

    @ArchTest
    static final ArchRule the_rooms_at_the_bottom_of_the_inbox_know_none_of_its_api = noClasses()
            .that()
            .resideInAnyPackage("dev.waybill.inbox.failure", "dev.waybill.inbox.connect")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.waybill.inbox")
            .because("values of the API use them");

    /** The way of messages to and from Azure is one module; the others administer entities, make clients or play the broker. */
    private static final String[] KNOW_AZURE = {
        "dev.waybill.servicebus..", // service-bus and, below "embedded", the embedded broker
        "dev.waybill.deadletter.servicebus..", // dead-letter queues
        "dev.waybill.standalone.servicebus..", // admin: topology and the clients of the command line
        "dev.waybill.standalone.identity..", // admin: tokens, also as passwords
        "dev.waybill.spring.servicebus..", // the starter's credentials
        "dev.waybill.test.servicebus..", // the test kit's clients
        "dev.waybill.walletforge.servicebus..", // the sample's credentials
        "dev.waybill.benchmarks.servicebus..", // the bare SDK, to compare with
    };

    @ArchTest
    static final ArchRule azure_types_stay_at_the_edge = noClasses()
            .that()
            .resideOutsideOfPackages(KNOW_AZURE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.azure..")
            .because("the broker's client is one way to the broker, not the language of the product");

    @ArchTest
    static final ArchRule time_comes_from_the_database_or_an_injected_clock = noClasses()
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .because("a stray clock cannot be tested and must not decide anything");

    @ArchTest
    static final ArchRule public_classes_are_final = classes()
            .that()
            .arePublic()
            .and()
            .areNotInterfaces()
            .and()
            .areNotEnums()
            .and()
            .doNotHaveModifier(JavaModifier.ABSTRACT)
            .and()
            .resideOutsideOfPackage(GENERATED)
            .should()
            .haveModifier(JavaModifier.FINAL)
            .because("nothing is meant to be extended that does not say so");
}
