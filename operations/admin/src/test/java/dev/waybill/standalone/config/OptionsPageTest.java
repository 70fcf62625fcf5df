package dev.waybill.standalone.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OptionsPageTest {
    private static final Path PAGE = Path.of("../../docs/operations/configuration.md");

    @Test
    void the_manual_says_what_the_code_declares() throws IOException {
        if (Boolean.getBoolean("waybill.docs.write")) {
            Files.writeString(PAGE, OptionsPage.markdown());
        }

        assertThat(PAGE).hasContent(OptionsPage.markdown());
    }

    @Test
    void every_option_is_declared_once_and_its_default_is_of_its_kind() {
        assertThat(Options.ALL).extracting(Option::pattern).doesNotHaveDuplicates();
        assertThat(Options.ALL)
                .filteredOn(option -> !option.defaultText().isEmpty())
                .allSatisfy(option ->
                        assertThat(option.accepts(option.defaultText())).isTrue());
        assertThat(Options.ALL)
                .allSatisfy(option ->
                        assertThat(option.text()).as("%s", option.name()).endsWith("."));
    }
}
