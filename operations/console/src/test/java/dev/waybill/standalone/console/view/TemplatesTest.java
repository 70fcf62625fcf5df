package dev.waybill.standalone.console.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pebbletemplates.pebble.error.PebbleException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Escaping is right for text and for attributes in quotes: templates have nothing else. */
class TemplatesTest {
    private static final Path TEMPLATES = Path.of("src/main/resources/dev/waybill/standalone/console/templates");
    private static final Map<String, Pattern> FORBIDDEN = Map.of(
            "an attribute without quotes", Pattern.compile("<[^>]*\\s[\\w-]+=(?![\"'])[^>]*\\{\\{"),
            "a script in the page", Pattern.compile("<script(?![^>]*\\ssrc=\"\\{\\{ asset\\.)"),
            "a style in the page", Pattern.compile("<style|\\sstyle="),
            "an event handler", Pattern.compile("\\son[a-z]+=|hx-on|hx-vals=.js:|javascript:"),
            "text as it is", Pattern.compile("\\|\\s*raw|autoescape"),
            "an address of another site", Pattern.compile("(?:href|src|action)=\"(?:https?:)?//"));
    private static final Pattern PARAMETER = Pattern.compile(
            "[?&](?:amp;)?[a-z]+=\\{\\{ (?!show\\.url|choice\\.word|each |each\\.(?:id|place) |hold\\.id |id |next )");

    @Test
    void no_template_prints_where_escaping_does_not_help() throws IOException {
        var found = new ArrayList<String>();
        for (Path template : templates()) {
            String text = Files.readString(template);
            FORBIDDEN.forEach((what, pattern) -> {
                if (pattern.matcher(text).find()) {
                    found.add(template.getFileName() + " has " + what);
                }
            });
            Matcher parameter = PARAMETER.matcher(text);
            while (parameter.find()) {
                found.add(template.getFileName() + " does not encode the parameter in " + parameter.group());
            }
        }
        assertThat(templates()).hasSizeGreaterThan(8);
        assertThat(found).isEmpty();
    }

    private static List<Path> templates() throws IOException {
        try (Stream<Path> files = Files.list(TEMPLATES)) {
            return files.sorted().toList();
        }
    }

    @Test
    void a_template_that_turns_escaping_off_does_not_run() {
        var templates = new Templates();

        assertThatThrownBy(() -> templates.render("unescaped-filter", Map.of("text", "<b>")))
                .isInstanceOf(PebbleException.class);
        assertThatThrownBy(() -> templates.render("unescaped-tag", Map.of("text", "<b>")))
                .isInstanceOf(PebbleException.class);
    }
}
