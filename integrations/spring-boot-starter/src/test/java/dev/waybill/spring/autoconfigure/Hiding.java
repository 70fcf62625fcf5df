package dev.waybill.spring.autoconfigure;

import java.util.List;

/** A class path on which something is not. */
final class Hiding extends ClassLoader {
    private final List<String> hidden;

    Hiding(List<String> hidden) {
        super(Hiding.class.getClassLoader());
        this.hidden = hidden;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (hidden.stream().anyMatch(name::startsWith)) {
            throw new ClassNotFoundException(name);
        }
        return super.loadClass(name, resolve);
    }
}
