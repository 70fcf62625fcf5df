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

/** Renders templates. All values are escaped: the raw filter and the autoescape tag are removed. Thread-safe. */
public final class Templates {
    private static final String PLACE = "dev/waybill/standalone/console/templates";

    /** The limit of a page. */
    private static final int LONGEST = 8 << 20;

    private final PebbleEngine engine;

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
