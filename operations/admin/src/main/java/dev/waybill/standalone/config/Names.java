package dev.waybill.standalone.config;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

final class Names {
    private Names() {}

    /** The segments after the prefix, in the order of their appearance. */
    static Set<String> at(Collection<Key> keys, List<String> prefix) {
        var names = new LinkedHashSet<String>();
        for (Key key : keys) {
            List<String> segments = key.segments();
            if (segments.size() > prefix.size()
                    && segments.subList(0, prefix.size()).equals(prefix)) {
                names.add(segments.get(prefix.size()));
            }
        }
        return names;
    }
}
