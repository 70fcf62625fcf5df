package dev.waybill.standalone.config;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The names that users gave. */
final class Names {
    private Names() {}

    /** The segments right behind the prefix, in the order in which they were met. */
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
