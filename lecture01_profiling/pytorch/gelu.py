"""gelu: a kernel with a derivative, and one that torch.compile keeps.

torch.autograd.Function gives the course's GELU (../gelu.cu) its backward; torch.library.custom_op makes an operation of
it that torch.compile knows by shape and does not look into. The graph that Dynamo traced is asked whether it is there.

    ./run pytorch/gelu
"""

import math
import sys

import course

import torch
import torch.nn.functional as F

LAUNCH = course.launcher(course.shared_library("gelu", "lecture01_profiling/gelu.cu"), "gelu_f32", "ppn")
C = math.sqrt(2 / math.pi)


@torch.library.custom_op("course::gelu", mutates_args=())
def gelu(x: torch.Tensor) -> torch.Tensor:
    y = torch.empty_like(x)
    LAUNCH(x, y, x.numel())
    return y


@gelu.register_fake
def _(x: torch.Tensor) -> torch.Tensor:
    """What the compiler needs to know: shape and type."""
    return torch.empty_like(x)


def derivative(x: torch.Tensor) -> torch.Tensor:
    """d gelu / dx of 0.5 x (1 + tanh(C (x + 0.044715 x^3)))."""
    t = torch.tanh(C * (x + 0.044715 * x**3))
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * C * (1 + 3 * 0.044715 * x * x)


def remember(ctx, inputs, output) -> None:
    ctx.save_for_backward(*inputs)


def backward(ctx, gradient: torch.Tensor) -> torch.Tensor:
    (x,) = ctx.saved_tensors
    return gradient * derivative(x)


gelu.register_autograd(backward, setup_context=remember)


class Gelu(torch.autograd.Function):
    """The older way to the same: a class with the two directions."""

    @staticmethod
    def forward(ctx, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        y = torch.empty_like(x)
        LAUNCH(x, y, x.numel())
        return y

    @staticmethod
    def backward(ctx, gradient: torch.Tensor) -> torch.Tensor:
        (x,) = ctx.saved_tensors
        return gradient * derivative(x)


def gradients(f, x: torch.Tensor, weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The value, and the gradient of its sum under these weights."""
    x = x.detach().clone().requires_grad_()
    y = f(x)
    (y * weight).sum().backward()
    return y.detach(), x.grad


def main() -> int:
    course.arguments(__doc__).parse_args()
    course.say_device()
    checks = course.Checks()
    x = torch.randn(1001, 77, device=course.DEVICE) * 3
    weight = torch.randn_like(x)
    exact = gradients(lambda x: F.gelu(x, approximate="tanh"), x.double(), weight.double())
    for name, f in (("autograd.Function", Gelu.apply), ("custom_op", gelu)):
        y, gradient = gradients(f, x, weight)
        checks.close(f"{name}: value", y, exact[0], atol=1e-5)
        checks.close(f"{name}: gradient", gradient, exact[1], atol=5e-5)
    torch.library.opcheck(gelu, (x[:5].contiguous(),))
    checks.true("opcheck: schema, fake tensors and autograd agree", True, "right")

    graphs = []

    def keep(graph: torch.fx.GraphModule, _inputs) -> torch.fx.GraphModule:
        graphs.append(graph)
        return graph

    def layer(x: torch.Tensor) -> torch.Tensor:
        return gelu(x * 2) + 1

    compiled = torch.compile(layer, backend=keep, fullgraph=True)
    checks.close("compiled: value", compiled(x), layer(x), atol=1e-6)
    calls = [node.target for graph in graphs for node in graph.graph.nodes if node.op == "call_function"]
    print("  the graph: " + ", ".join(str(getattr(c, "__name__", c)) for c in calls))
    checks.true(
        "one graph, and course::gelu is in it", len(graphs) == 1 and any("course.gelu" in str(c) for c in calls)
    )
    return checks.status


if __name__ == "__main__":
    sys.exit(main())
