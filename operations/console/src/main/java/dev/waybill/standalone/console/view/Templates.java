package dev.waybill.standalone.console.view;

import io.pebbletemplates.pebble.PebbleEngine;
import io.pebbletemplates.pebble.extension.core.DisallowExtensionCustomizerBuilder;
import io.pebbletemplates.pebble.loader.ClasspathLoader;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The pages' templates. All that they print is escaped: no template can print text as it is, for that filter and the
 * tag that turns escaping off do not exist here. Thread-safe.
 */
public final class Templates {
    private static final String PLACE = "dev/waybill/standalone/console/templates";

    /** No page is longer. */
    private static final int LONGEST = 8 << 20;

    private final PebbleEngine engine;

    /** Those on the class path. */
    public Templates() {
        var loader = new ClasspathLoader(Templates.class.getClassLoader());
        loader.setPrefix(PLACE);
        loader.setSuffix(".peb");
        engine = new PebbleEngine.Builder()
                .loader(loader)
                .strictVariables(true)
                .defaultLocale(Locale.ROOT)
                .maxRenderedSize(LONGEST)
                .registerExtensionCustomizer(new DisallowExtensionCustomizerBuilder()
                        .disallowedFilterKeys(List.of("raw"))
                        .disallowedTokenParserTags(List.of("autoescape"))
                        .build())
                .build();
    }

    /** A page as text. */
    public String render(String template, Map<String, ?> model) {
        var page = new StringWriter();
        try {
            engine.getTemplate(template).evaluate(page, Map.copyOf(model));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return page.toString();
    }
}
