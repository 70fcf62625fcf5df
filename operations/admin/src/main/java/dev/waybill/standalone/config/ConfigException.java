package dev.waybill.standalone.config;

import java.util.List;

/** Settings that cannot be used. The message lists everything that is wrong with them. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** One problem. */
    public ConfigException(String problem) {
        super(problem);
    }

    /** Several problems, a line each. */
    public ConfigException(List<String> problems) {
        super(String.join("\n", problems));
    }
}
