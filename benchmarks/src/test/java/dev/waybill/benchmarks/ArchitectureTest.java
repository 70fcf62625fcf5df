package dev.waybill.benchmarks;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;

/** The rules of the house, over the main classes of every module: this one sees them all. */
@AnalyzeClasses(
        packages = "dev.waybill",
        importOptions = {DoNotIncludeTests.class, WithoutTestJars.class})
class ArchitectureTest {
    private static final String GENERATED = "dev.waybill.schema.jooq..";

    @ArchTest
    static final ArchRule packages_have_no_cycles = slices().matching("dev.waybill.(**)")
            .should()
            .beFreeOfCycles()
            .ignoreDependency(resideInAPackage(GENERATED), resideInAPackage(GENERATED))
            .ignoreDependency(resideInAPackage("dev.waybill.relay"), resideInAPackage("dev.waybill.relay.."))
            .because("data flows one way; only the relay's API makes what its rooms hold");

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

    /** The way of messages to and from Azure is one module; the others administer entities, make clients or play the broker. */
    private static final String[] KNOW_AZURE = {
        "dev.waybill.servicebus..", // service-bus and, below "embedded", the embedded broker
        "dev.waybill.deadletter.servicebus..", // dead-letter queues
        "dev.waybill.standalone.servicebus..", // admin: topology and the clients of the command line
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
