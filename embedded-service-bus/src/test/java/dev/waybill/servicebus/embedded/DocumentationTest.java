package dev.waybill.servicebus.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page that says what is same, different and absent names tests that exist. */
class DocumentationTest {
    private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+Test)(?:#(\\w+))?`");
    private static final List<String> PACKAGES =
            List.of("", "filter", "emulator", "junit", "fuzz", "transaction", "amqp");

    @Test
    void every_test_that_the_page_names_exists() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "guides", "embedded-service-bus.md"));
        List<String> missing = new ArrayList<>();
        Matcher named = NAMED.matcher(page);
        int count = 0;
        while (named.find()) {
            count++;
            String method = named.group(2);
            if (!exists(named.group(1), method == null ? "" : method)) {
                missing.add(named.group());
            }
        }
        assertThat(missing).isEmpty();
        assertThat(count).isGreaterThan(40);
    }

    private static boolean exists(String name, String method) {
        return PACKAGES.stream()
                .map(under -> Path.of("target", "test-classes", "dev", "waybill", "servicebus", "embedded")
                        .resolve(under)
                        .resolve(name + ".class"))
                .filter(Files::exists)
                .anyMatch(file -> method.isEmpty() || declares(file, method));
    }

    private static boolean declares(Path file, String method) {
        String relative = Path.of("target", "test-classes").relativize(file).toString();
        String type = relative.substring(0, relative.length() - ".class".length())
                .replace(file.getFileSystem().getSeparator(), ".");
        try {
            return Arrays.stream(Class.forName(type).getDeclaredMethods())
                    .anyMatch(declared -> declared.getName().equals(method));
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
