package dev.waybill.standalone.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The path of an option: {@code database.main.url}. Quotes enclose a name with a dot: {@code destination."orders.eu".sessions}. */
record Key(List<String> segments) {
    Key {
        segments = List.copyOf(segments);
    }

    static Key of(String text) {
        var segments = new ArrayList<String>();
        var segment = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == '.' && !quoted) {
                segments.add(segment.toString());
                segment.setLength(0);
            } else {
                segment.append(c);
            }
        }
        segments.add(segment.toString());
        return new Key(segments);
    }

    Key child(String segment) {
        var longer = new ArrayList<>(segments);
        longer.add(segment);
        return new Key(longer);
    }

    /** Drops the ending: {@code password-file} becomes {@code password}. */
    Key withoutEnding(String ending) {
        var changed = new ArrayList<>(segments);
        int last = changed.size() - 1;
        String segment = changed.get(last);
        changed.set(last, segment.substring(0, segment.length() - ending.length()));
        return new Key(changed);
    }

    boolean endsWith(String ending) {
        return segments.get(segments.size() - 1).endsWith(ending);
    }

    String environmentName() {
        return segments.stream().map(Key::environmentName).collect(Collectors.joining("_"));
    }

    static String environmentName(String segment) {
        return segment.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_");
    }

    boolean hasEmptyName() {
        return segments.stream().anyMatch(String::isBlank);
    }

    @Override
    public String toString() {
        return segments.stream()
                .map(segment -> segment.contains(".") || segment.isEmpty() ? '"' + segment + '"' : segment)
                .collect(Collectors.joining("."));
    }
}
