package dev.waybill.standalone.topology.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.standalone.topology.export.Export.Format;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The limits of Azure Resource Manager: the length of names, and the number of things in a template. */
class ExportLimitsTest {
    private static final String HEAD =
            "namespace: { main: { host: waybill-test.servicebus.windows.net } }\ndestination:\n";
    private static final int LONGEST_SYMBOL = 255;

    @Test
    void the_longest_names_of_entities_make_symbols_that_bicep_takes_and_that_differ() {
        String path = "q".repeat(259);
        String text = Declared.export(
                        HEAD + "  one: { entity: " + path + "1 }\n  two: { entity: " + path + "2 }\n", Format.BICEP)
                .text();

        assertThat(text.lines()
                        .filter(line -> line.startsWith("resource ") || line.startsWith("param "))
                        .map(line -> line.replaceFirst("^\\S+ (\\S+) .*", "$1")))
                .doesNotHaveDuplicates()
                .allSatisfy(symbol -> assertThat(symbol).hasSizeLessThanOrEqualTo(LONGEST_SYMBOL));
    }

    @ParameterizedTest
    @EnumSource(
            value = Format.class,
            names = {"BICEP", "ARM"})
    void a_template_of_more_than_azure_takes_is_told_when_it_is_written(Format format) {
        assertThat(Declared.export(queues(20), format).warnings()).isEmpty();

        assertThat(Declared.export(queues(300), format).warnings())
                .anySatisfy(warning -> assertThat(warning).contains("256 parameters"))
                .anySatisfy(warning -> assertThat(warning).contains("800 resources"));
    }

    @Test
    void entities_that_azure_cannot_tell_apart_in_a_template_are_refused() {
        String yaml = HEAD + "  one: { entity: a/b }\n  two: { entity: a~b }\n";

        assertThatThrownBy(() -> Declared.export(yaml, Format.BICEP)).hasMessageContaining("'a~b'");
        assertThat(Declared.export(yaml, Format.EMULATOR).text()).contains("a/b", "a~b");
    }

    private static String queues(int number) {
        return IntStream.range(0, number)
                .mapToObj(queue -> "  q" + queue + ": {}")
                .collect(Collectors.joining("\n", HEAD, "\n"));
    }
}
