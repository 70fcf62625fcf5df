package dev.waybill.servicebus.embedded.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
    @Test
    void arguments_come_in_any_order() {
        String[] all = {
            "--port", "1", "--config", "f", "--tls-certificate", "c", "--host", "::", "--administration-port", "2"
        };
        assertThat(CommandLine.parse(all)).isEqualTo(new CommandLine(Path.of("f"), "::", 1, 2, Path.of("c"), false));
    }

    @Test
    void the_emulators_ports_are_the_defaults() {
        assertThat(CommandLine.parse(new String[0]))
                .isEqualTo(new CommandLine(null, "127.0.0.1", 5672, 5300, null, false));
    }

    @Test
    void help_is_asked_for_in_two_ways() {
        assertThat(CommandLine.parse(new String[] {"-h"}).help()).isTrue();
        assertThat(CommandLine.parse(new String[] {"--help"}).help()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"70000", "-1", "x", ""})
    void what_is_no_port_is_refused(String port) {
        assertThatThrownBy(() -> CommandLine.parse(new String[] {"--port", port}))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--port is no port");
    }

    @Test
    void a_missing_value_is_refused() {
        assertThatThrownBy(() -> CommandLine.parse(new String[] {"--config"}))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--config needs a value");
    }
}
