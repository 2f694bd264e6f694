package io.manafold.launcher.internal.lines;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/** The process's signals. */
public final class Signals {
    public static final int HUP = 1;
    public static final int INT = 2;
    public static final int PIPE = 13;
    public static final int TERM = 15;

    private Signals() {
    }

    /**
     * Does something when a signal arrives, on a thread of its own, in place of what the virtual machine would do. The
     * class behind this is in every JDK, but the compiler does not know that it is meant to be used.
     */
    public static void on(String signal, Runnable action) {
        try {
            ClassLoader loader = ClassLoader.getSystemClassLoader();
            Class<?> signals = loader.loadClass("sun.misc.Signal");
            Class<?> handlers = loader.loadClass("sun.misc.SignalHandler");
            InvocationHandler call = (proxy, method, arguments) -> switch (method.getName()) {
                case "handle" -> {
                    action.run();
                    yield null;
                }
                case "hashCode" -> System.identityHashCode(proxy);
                case "equals" -> proxy == arguments[0];
                default -> "action on " + signal;
            };
            Object handler = Proxy.newProxyInstance(handlers.getClassLoader(), new Class<?>[] {handlers}, call);
            Object wanted = signals.getConstructor(String.class).newInstance(signal);
            signals.getMethod("handle", signals, handlers).invoke(null, wanted, handler);
        } catch (ReflectiveOperationException | RuntimeException e) {
            // without it, the virtual machine ends at the signal as it always does
            return;
        }
    }
}
