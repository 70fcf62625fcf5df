package dev.waybill.standalone.console.view;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Style sheet, script and icon. Their paths contain a digest of the content. Immutable. */
public final class Assets {
    private static final String OURS = "dev/waybill/standalone/console/assets/";
    private static final String HTMX = "META-INF/resources/webjars/htmx.org/2.0.4/dist/htmx.min.js";

    private final Map<String, String> paths = new LinkedHashMap<>();
    private final Map<String, Asset> assets = new LinkedHashMap<>();

    public Assets() {
        add("console.css", OURS + "console.css", "text/css; charset=utf-8");
        add("icon.svg", OURS + "icon.svg", "image/svg+xml");
        add("htmx.js", HTMX, "text/javascript; charset=utf-8");
    }

    public static final class Asset {
        private final String type;
        private final byte[] bytes;

        private Asset(String type, byte[] bytes) {
            this.type = type;
            this.bytes = bytes;
        }

        public String type() {
            return type;
        }

        public byte[] bytes() {
            return bytes.clone();
        }
    }

    private void add(String name, String resource, String type) {
        byte[] bytes = read(resource);
        String path = "/assets/" + digest(bytes) + "/" + name;
        paths.put(name.replace('.', '_'), path);
        assets.put(path, new Asset(type, bytes));
    }

    /** The paths by file name, with an underscore for the dot. */
    public Map<String, String> paths() {
        return Map.copyOf(paths);
    }

    public Optional<Asset> find(String path) {
        return Optional.ofNullable(assets.get(path));
    }

    private static byte[] read(String resource) {
        try (InputStream in = Assets.class.getClassLoader().getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is not on the class path");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String digest(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(digest, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
