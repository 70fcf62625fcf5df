package dev.waybill.servicebus.embedded.administration;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes Atom envelopes around descriptions. */
final class Atom {
    private static final String NAMESPACE = "xmlns=\"http://www.w3.org/2005/Atom\"";
    private static final String AUTHOR = "embedded";

    private Atom() {}

    /**
     * An entity's envelope.
     *
     * @param path of the entity in its namespace
     * @param author whether to name the namespace, as for all but subscriptions and rules
     * @param description the document inside
     */
    record Entry(
            String path,
            String title,
            @Nullable Instant published,
            Instant updated,
            boolean author,
            String description) {}

    /** One entity, under the address of the request: Azure's client for JavaScript reads the names from it. */
    static String entry(Request request, Entry entry) {
        return entry(request.location() + request.query(), entry, NAMESPACE);
    }

    private static String entry(String address, Entry entry, String attributes) {
        XmlText xml = new XmlText().open("entry", attributes).element("id", address);
        xml.open("title", "type=\"text\"").escape(entry.title()).close("title");
        if (entry.published() != null) {
            xml.element("published", entry.published().truncatedTo(ChronoUnit.SECONDS));
        }
        xml.element("updated", entry.updated().truncatedTo(ChronoUnit.SECONDS));
        if (entry.author()) {
            xml.open("author", "").element("name", AUTHOR).close("author");
        }
        link(xml, "self", address);
        return xml.open("content", "type=\"application/xml\"")
                .raw(entry.description())
                .close("content")
                .close("entry")
                .toString();
    }

    private static void link(XmlText xml, String relation, String address) {
        xml.raw("<link rel=\"" + relation + "\" href=\"").escape(address).raw("\"/>");
    }

    /** A page of entities; an empty one also represents a missing entity. */
    static <T> String feed(String title, Request request, List<T> all, Function<T, Entry> entry) {
        String address = request.location();
        XmlText feed = new XmlText()
                .open("feed", NAMESPACE)
                .open("title", "type=\"text\"")
                .escape(title)
                .close("title")
                .element("id", address + request.query())
                .element("updated", request.received().truncatedTo(ChronoUnit.SECONDS));
        link(feed, "self", address + request.query());
        long end = Math.min(all.size(), (long) request.skip() + request.top());
        // The next page of an empty page would be that page itself.
        if (request.top() > 0 && end < all.size()) {
            link(feed, "next", address + "?$skip=" + end + "&$top=" + request.top() + request.version("&"));
        }
        all.stream()
                .skip(request.skip())
                .limit(request.top())
                .map(entry)
                .forEach(found -> feed.raw(
                        entry(request.address().base() + "/" + found.path() + request.versionQuery(), found, "")));
        return feed.close("feed").toString();
    }

    static String nothing(Request request) {
        return feed("Publicly Listed Services", request, List.of(), item -> {
            throw new IllegalStateException("There is no " + item);
        });
    }
}
