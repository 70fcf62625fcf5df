package dev.waybill.benchmarks;

import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.util.List;
import java.util.stream.IntStream;

/** The rooms of the dead letters, and who may know them. */
@AnalyzeClasses(
        packages = "dev.waybill",
        importOptions = {DoNotIncludeTests.class, WithoutTestJars.class})
class DeadLettersArchitectureTest {
    /** What users begin with. All else in the API is values, which know no room. */
    static final String ENTRANCES = "dev\\.waybill\\.deadletter\\."
            + "(DeadLetterCollector|DeadLetters|DeadLetterFilter|DeadLetterArchive|DeadLetterExchange|Erasure|Redrives|ContentMask)"
            + "(\\$.*)?";

    /** The rooms, each of which knows only those before it. */
    private static final List<String> ROOMS = List.of(
            "dev.waybill.deadletter.audit",
            "dev.waybill.deadletter.store",
            "dev.waybill.deadletter.collect",
            "dev.waybill.deadletter.exchange",
            "dev.waybill.deadletter.edit",
            "dev.waybill.deadletter.archive",
            "dev.waybill.deadletter.redact",
            "dev.waybill.deadletter.redrive",
            "dev.waybill.deadletter.erase");

    /** Packages of users, which stand on the API. */
    private static final String[] ON_TOP = {
        "dev.waybill.deadletter.monitor",
        "dev.waybill.deadletter.repair",
        "dev.waybill.deadletter.stuck",
        "dev.waybill.deadletter.servicebus"
    };

    @ArchTest
    static final ArchRule rooms_have_no_cycles = slices().matching("dev.waybill.deadletter.(*)..")
            .namingSlices("$1")
            .should()
            .beFreeOfCycles();

    @ArchTest
    static final ArchRule no_room_knows_one_behind_it = CompositeArchRule.of(IntStream.range(0, ROOMS.size() - 1)
                    .mapToObj(i -> noClasses()
                            .that()
                            .resideInAPackage(ROOMS.get(i))
                            .should()
                            .dependOnClassesThat()
                            .resideInAnyPackage(
                                    ROOMS.subList(i + 1, ROOMS.size()).toArray(String[]::new)))
                    .toList())
            .because("a letter passes each room once");

    @ArchTest
    static final ArchRule no_room_knows_the_entrances_or_what_stands_on_them = CompositeArchRule.of(List.of(
                    noClasses()
                            .that()
                            .resideInAnyPackage(ROOMS.toArray(String[]::new))
                            .should()
                            .dependOnClassesThat(nameMatching(ENTRANCES)),
                    noClasses()
                            .that()
                            .resideInAnyPackage(ROOMS.toArray(String[]::new))
                            .should()
                            .dependOnClassesThat()
                            .resideInAnyPackage(ON_TOP)))
            .because("the entrances make what the rooms hold");

    @ArchTest
    static final ArchRule values_of_the_API_know_no_room = noClasses()
            .that()
            .resideInAPackage("dev.waybill.deadletter")
            .and()
            .haveNameNotMatching(ENTRANCES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOMS.toArray(String[]::new))
            .because("rooms know the values");

    @ArchTest
    static final ArchRule other_modules_use_no_room = noClasses()
            .that()
            .resideOutsideOfPackage("dev.waybill.deadletter..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOMS.toArray(String[]::new))
            .because("the API is the package dev.waybill.deadletter, with monitor, repair and stuck");

    @ArchTest
    static final ArchRule azure_types_stay_in_one_package = noClasses()
            .that()
            .resideInAPackage("dev.waybill.deadletter..")
            .and()
            .resideOutsideOfPackage("dev.waybill.deadletter.servicebus..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("com.azure..");
}
