"""Probabilistic mixup for networks in PyTorch, on any device.

ProbMix in the loop of a model that ends in the outputs of a family::

    loss = ProbMixLoss("gaussian", alpha=0.1)
    ...
    loss(model(x), y).backward()

M-ProbMix, with an embedding in the middle of the network::

    embed = GaussianEmbedding(in_features, width)
    z = embed(encoder(x))            # in training: fused draws; in evaluation: draws or the mean
    loss(decoder(z), y, embed).backward()
"""

import torch

from . import mixing


class _Risk(torch.autograd.Function):
    @staticmethod
    def forward(context, outputs, y, arguments):
        values = outputs.detach().cpu()
        values = (values if values.dtype == torch.float64 else values.float()).numpy()
        loss, gradient = mixing.risk(values, y.detach().cpu().numpy(), **arguments)
        context.save_for_backward(torch.from_numpy(gradient).to(outputs))
        return outputs.new_tensor(loss)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(context, dloss):
        return context.saved_tensors[0] * dloss, None, None


class _FuseEmbeddings(torch.autograd.Function):
    @staticmethod
    def forward(context, embedding, partner, lam, noise):
        z, backward = mixing.fuse_embeddings(embedding.detach().cpu().numpy(), partner, lam, noise)
        context.backward_of = backward
        return torch.from_numpy(z).to(embedding)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(context, dz):
        gradient = context.backward_of(dz.detach().cpu().numpy())
        return torch.from_numpy(gradient).to(dz), None, None, None


def risk(outputs, y, partner=None, lam=None, **options):
    """`probmix.risk` as a differentiable function of the outputs.

    Parameters
    ----------
    outputs : torch.Tensor
        (rows, outputs) of a network, on any device.
    y : torch.Tensor
        Responses, of shape (rows,) or (rows, responses).
    partner, lam : array_like, optional
        Pairs and weights (`probmix.draw_pairs`, `probmix.draw_lambda`).
    **options
        Those of `probmix.risk`.

    Returns
    -------
    torch.Tensor
        The loss, a scalar that can be differentiated once.
    """
    return _Risk.apply(outputs, y, {"partner": partner, "lam": lam, **options})


class _Step(torch.nn.Module):
    """Counts the steps, which determine what is drawn; the count is saved with the module."""

    def __init__(self, seed):
        super().__init__()
        self.seed = int(seed)
        self.register_buffer("steps", torch.zeros((), dtype=torch.int64))

    def _next_step(self):
        step = int(self.steps)
        self.steps += 1
        return step


class ProbMixLoss(_Step):
    """The risk of ProbMix for a batch of outputs; in evaluation the plain negative log-likelihood.

    The responses should be on a scale of about 1; a Gaussian's second output is the logarithm of its variance.

    Parameters
    ----------
    family : str
        "gaussian", "categorical", "student-t", "gamma", ... (`probmix.mixing.outputs_of` says how many outputs).
    alpha : float
        Of λ ~ Beta(alpha, alpha).
    pooling : {"linear", "log-linear"}
        How densities are fused.
    lambda_per : {"step", "pair"}
        The same λ for all pairs of a step, or one for each.
    draws : int
        Draws of each pair.
    seed : int
        Of what a step draws.
    **options
        Those of `probmix.risk`.

    Examples
    --------
    >>> import torch
    >>> from probmix.torch import ProbMixLoss
    >>> loss = ProbMixLoss("gaussian", alpha=0.1)
    >>> outputs = torch.zeros(8, 2, requires_grad=True)
    >>> loss(outputs, torch.randn(8)).backward()
    >>> outputs.grad.shape
    torch.Size([8, 2])
    """

    def __init__(self, family="gaussian", *, alpha=0.1, pooling="linear", lambda_per="step", draws=1, seed=1, **options):
        super().__init__(seed)
        self.alpha, self.lambda_per, self.draws = alpha, lambda_per, draws
        self.options = {"family": family, "pooling": pooling, **options}

    def forward(self, outputs, y, embedding=None):
        """The loss of a batch.

        Parameters
        ----------
        outputs : torch.Tensor
            (rows, outputs), or (rows · draws, outputs) behind an embedding.
        y : torch.Tensor
            Responses, of shape (rows,) or (rows, responses).
        embedding : GaussianEmbedding, optional
            The layer of the network whose pairs are used.

        Returns
        -------
        torch.Tensor
            A scalar.
        """
        if not self.training:
            return risk(outputs, y, **self.options)
        if embedding is not None:
            pairs = embedding.pairs
            return risk(outputs, y, pairs.partner, pairs.lam, embedding=True, seed=embedding.seed, step=pairs.step,
                        **self.options)
        step = self._next_step()
        partner = mixing.draw_pairs(len(y), seed=self.seed, step=step)
        lam = mixing.draw_lambda(len(y), alpha=self.alpha, draws=self.draws, per=self.lambda_per, seed=self.seed, step=step)
        return risk(outputs, y, partner, lam, seed=self.seed, step=step, **self.options)


class _Pairs:
    """What a step drew."""

    def __init__(self, partner, lam, step):
        self.partner, self.lam, self.step = partner, lam, step


class GaussianEmbedding(_Step):
    """A layer whose output is random: a Gaussian for each row, and in training draws from those of fused pairs (M-ProbMix).

    In evaluation it gives `members` draws for each row, one below the other (rows · members, width), or the mean if
    members is 0.

    Parameters
    ----------
    in_features, width : int
        Of the layer.
    alpha, pooling, lambda_per, draws, seed
        As in `ProbMixLoss`.
    members : int
        Draws for each row in evaluation.

    Examples
    --------
    >>> import torch
    >>> from probmix.torch import GaussianEmbedding
    >>> embed = GaussianEmbedding(4, 3, members=5)
    >>> embed(torch.zeros(10, 4)).shape, embed.eval()(torch.zeros(10, 4)).shape
    (torch.Size([10, 3]), torch.Size([50, 3]))
    """

    def __init__(self, in_features, width, *, alpha=0.1, pooling="linear", lambda_per="step", draws=1, members=0, seed=1):
        super().__init__(seed)
        self.mean = torch.nn.Linear(in_features, width)
        self.log_variance = torch.nn.Linear(in_features, width)
        self.alpha, self.pooling, self.lambda_per, self.draws, self.members = alpha, pooling, lambda_per, draws, members
        self.pairs = None

    def forward(self, h):
        """Draws, or means.

        Parameters
        ----------
        h : torch.Tensor
            (rows, in_features).

        Returns
        -------
        torch.Tensor
            (rows · draws, width) in training, (rows · members, width) or (rows, width) in evaluation.
        """
        mean, log_variance = self.mean(h), self.log_variance(h)
        if self.training:
            return self._fused(torch.cat([mean, log_variance], dim=1))
        if self.members == 0:
            return mean
        noise = torch.from_numpy(mixing.draw_embedding([[1.0]] * self.members, mean.shape[1], pooling="log-linear",
                                                       seed=self.seed)[1]).to(mean)  # the same for all rows
        z = mean[:, None] + (0.5 * log_variance[:, None]).exp() * noise
        return z.reshape(-1, mean.shape[1])

    def _fused(self, embedding):
        rows, step = len(embedding), self._next_step()
        partner = mixing.draw_pairs(rows, seed=self.seed, step=step)
        lam = mixing.draw_lambda(rows, alpha=self.alpha, draws=self.draws, per=self.lambda_per, seed=self.seed, step=step)
        self.pairs = _Pairs(partner, lam, step)
        at_site, noise = mixing.draw_embedding(lam, embedding.shape[1] // 2, pooling=self.pooling, seed=self.seed, step=step)
        return _FuseEmbeddings.apply(embedding, partner, at_site, noise)
