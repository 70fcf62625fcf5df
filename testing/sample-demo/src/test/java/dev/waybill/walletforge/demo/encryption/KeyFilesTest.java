package dev.waybill.walletforge.demo.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.walletforge.demo.encryption.KeyEncryption.WrappedKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFilesTest {
    @TempDir
    private Path directory;

    @Test
    void a_data_key_opens_with_the_key_that_wrapped_it_alone() {
        var keys = new KeyDirectory(directory).rotateTo("k1");
        var files = KeyFiles.in(directory);
        WrappedKey wrapped = files.wrap(new byte[32]);
        keys.rotateTo("k2");

        assertThat(wrapped.keyId()).isEqualTo("k1");
        assertThat(files.unwrap(wrapped)).isEqualTo(new byte[32]);
        assertThatThrownBy(() -> files.unwrap(new WrappedKey("k2", wrapped.bytes())))
                .isInstanceOf(TamperedMessageException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../outside", "/etc/hostname", "current", "", ".", "..data", "k1\0", "K1"})
    void a_name_that_comes_with_a_message_never_becomes_a_path(String name) throws IOException {
        Path inside = Files.createDirectory(directory.resolve("keys"));
        Files.writeString(directory.resolve("outside"), "x");
        new KeyDirectory(inside).rotateTo("k1").write("..data", "x");
        var files = KeyFiles.in(inside);

        assertThatThrownBy(() -> files.unwrap(new WrappedKey(name, new byte[40])))
                .isInstanceOf(UnknownKeyException.class)
                .hasMessageContaining("[k1]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "c2hvcnQ=", "no Base64!"})
    void a_key_that_is_none_is_refused_at_the_start_and_not_told(String text) {
        new KeyDirectory(directory).rotateTo("k1").write("k2", text);

        assertThatThrownBy(() -> KeyFiles.in(directory))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("'k2'")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("c2hvcnQ", "no Base64!"))
                .hasNoCause();
    }

    @Test
    void a_directory_that_says_not_which_key_encrypts_is_refused_at_the_start() {
        assertThatThrownBy(() -> KeyFiles.in(directory)).hasMessageContaining("no file 'current'");

        new KeyDirectory(directory).rotateTo("k1").write("current", "k9");

        assertThatThrownBy(() -> KeyFiles.in(directory)).hasMessageContaining("names no key of [k1]");
        assertThatThrownBy(() -> KeyFiles.in(directory.resolve("missing"))).hasMessageContaining("cannot be listed");
    }
}
