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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;

/** The pages that say what is same, different and absent name tests that exist. */
class DocumentationTest {
    private static final Path CHECKS = Path.of("CHECKS.md");
    private static final List<Path> PAGES =
            List.of(Path.of("../..", "docs", "guides", "embedded-service-bus.md"), Path.of("README.md"), CHECKS);
    private static final Path CLASSES = Path.of("target", "test-classes");
    private static final Pattern NAMED = Pattern.compile("`([A-Z]\\w+Test)(?:#(\\w+))?`");
    private static final List<String> PACKAGES =
            List.of("", "filter", "emulator", "junit", "fuzz", "transaction", "amqp");

    @Test
    void every_test_that_the_pages_name_exists() throws IOException {
        StringBuilder pages = new StringBuilder();
        for (Path page : PAGES) {
            pages.append(Files.readString(page));
        }
        List<String> missing = new ArrayList<>();
        Matcher named = NAMED.matcher(pages);
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

    @Test
    void the_page_says_how_many_cases_a_live_run_has() throws Exception {
        int all = 0;
        int live = 0;
        for (Class<?> type : testClasses()) {
            int methods = (int) Arrays.stream(type.getDeclaredMethods())
                    .filter(method -> AnnotationSupport.isAnnotated(method, Testable.class))
                    .count();
            all += methods;
            live += NamespaceCase.class.isAssignableFrom(type) ? methods : 0;
        }
        String counts = all + " test methods, of which " + live + " go through the client library.";
        String page = Files.readString(CHECKS);
        if (Boolean.getBoolean("waybill.docs.write")) {
            page = page.replaceFirst("\\d+ test methods, of which \\d+ go through the client library\\.", counts);
            Files.writeString(CHECKS, page);
        }
        assertThat(page).as("-Dwaybill.docs.write=true writes it").contains(counts);
    }

    private static List<Class<?>> testClasses() throws Exception {
        List<Class<?>> types = new ArrayList<>();
        try (Stream<Path> files = Files.walk(CLASSES)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith("Test.class")).toList()) {
                types.add(Class.forName(typeOf(file)));
            }
        }
        return types;
    }

    private static String typeOf(Path file) {
        String relative = CLASSES.relativize(file).toString();
        return relative.substring(0, relative.length() - ".class".length())
                .replace(file.getFileSystem().getSeparator(), ".");
    }

    private static boolean exists(String name, String method) {
        return PACKAGES.stream()
                .map(under -> CLASSES.resolve(Path.of("dev", "waybill", "servicebus", "embedded"))
                        .resolve(under)
                        .resolve(name + ".class"))
                .filter(Files::exists)
                .anyMatch(file -> method.isEmpty() || declares(file, method));
    }

    private static boolean declares(Path file, String method) {
        try {
            return Arrays.stream(Class.forName(typeOf(file)).getDeclaredMethods())
                    .anyMatch(declared -> declared.getName().equals(method));
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }
}
