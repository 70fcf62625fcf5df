package dev.waybill.standalone.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

public final class ProgramVersion {
    private ProgramVersion() {}

    /** The version of the build, or {@code unknown}. */
    public static String text() {
        var properties = new Properties();
        try (InputStream in = ProgramVersion.class.getResourceAsStream("/dev/waybill/standalone/version.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version", "unknown");
    }
}
